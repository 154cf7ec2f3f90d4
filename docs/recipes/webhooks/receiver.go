// Receives webhooks: SECRET=whsec_… go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const maxAge = 5 * time.Minute

type message struct {
	Type string
	Data struct {
		Change *struct { // A test message has none.
			SubjectKey string `json:"subject_key"`
			Position  int64
		}
	}
}

// Store both in your database, in the transaction that applies the message.
var (
	mutex     sync.Mutex
	received  = map[string]bool{}
	positions = map[string]int64{}
)

func isFromFoyer(key []byte, header http.Header, body []byte) bool {
	id, sentAt := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > maxAge {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, sentAt, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// There are two signatures after the secret was rotated.
	for _, given := range strings.Split(header.Get("Webhook-Signature"), " ") {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}

// receive stores what arrived, and returns what became of it.
func receive(id string, body []byte) (string, error) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		return "", err
	}
	mutex.Lock()
	defer mutex.Unlock()
	if received[id] {
		return "repeated " + id, nil
	}
	received[id] = true
	change := m.Data.Change
	if change == nil {
		return "received " + m.Type, nil
	}
	outcome := "outdated"
	// Messages can overtake each other, so an older state must not replace a newer one.
	if change.Position > positions[change.SubjectKey] {
		positions[change.SubjectKey] = change.Position
		outcome = "applied"
	}
	return fmt.Sprintf("%s %s %s %d", outcome, m.Type, change.SubjectKey, change.Position), nil
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("Set SECRET to the signing secret of the webhook.")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !isFromFoyer(key, r.Header, body) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		line, err := receive(r.Header.Get("Webhook-Id"), body)
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		fmt.Println(line) // slow work starts here, since Foyer waits for ten seconds
	})
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", port)
	log.Fatal(http.Serve(listener, nil))
}
