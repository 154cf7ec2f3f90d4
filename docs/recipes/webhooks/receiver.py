# Receives webhooks: SECRET=whsec_… python3 receiver.py
import base64, hashlib, hmac, json, os, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))
PORT = int(os.environ.get("PORT", "8080"))
MAX_AGE_SECONDS = 300

# Store both in your database, in the transaction that applies the message.
received = set()
positions = {}
lock = threading.Lock()


def is_from_foyer(headers, body):
    id = headers.get("webhook-id", "")
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > MAX_AGE_SECONDS:
        return False
    signed = f"{id}.{sent_at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    # There are two signatures after the secret was rotated.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)


def receive(id, message):
    """Stores what arrived, and returns what became of it."""
    type, change = message["type"], message["data"].get("change")
    with lock:
        if id in received:
            return f"repeated {id}"
        received.add(id)
        if change is None:  # a test message
            return f"received {type}"
        # Messages can overtake each other, so an older state must not replace a newer one.
        subject, position = change["subject_key"], change["position"]
        if position <= positions.get(subject, 0):
            return f"outdated {type} {subject} {position}"
        positions[subject] = position
        return f"applied {type} {subject} {position}"


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        accepted = is_from_foyer(self.headers, body)
        line = receive(self.headers["webhook-id"], json.loads(body)) if accepted else "rejected"
        self.send_response(204 if accepted else 401)
        self.end_headers()
        print(line, flush=True)  # slow work comes here, since Foyer waits for ten seconds

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("", PORT), Receiver)
print(f"listening on {PORT}", flush=True)
server.serve_forever()
