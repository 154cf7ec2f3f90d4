<?php
// Receives webhooks: SECRET=whsec_… php -S localhost:8080 receiver.php

const MAX_AGE_SECONDS = 300;
$secret = getenv('SECRET');
if (!$secret) {
    http_response_code(500);
    exit('Set SECRET to the signing secret of the webhook.');
}
$key = base64_decode(preg_replace('/^whsec_/', '', $secret));
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$sentAt = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$body = file_get_contents('php://input');

$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
// There are two signatures after the secret was rotated.
$given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
$isSigned = array_filter($given, fn($signature) => hash_equals($expected, $signature));
if (!ctype_digit($sentAt) || abs(time() - (int) $sentAt) > MAX_AGE_SECONDS || !$isSigned) {
    http_response_code(401);
    return;
}
// Use your database instead of a file, and one transaction instead of the lock.
$file = fopen(getenv('STATE') ?: __DIR__ . '/received.json', 'c+');
flock($file, LOCK_EX);
$state = json_decode(stream_get_contents($file), true) ?? ['received' => [], 'positions' => []];
$line = receive($state, $id, json_decode($body, true));
ftruncate($file, 0);
rewind($file);
fwrite($file, json_encode($state));
fclose($file);
http_response_code(204);
file_put_contents('php://stdout', "$line\n"); // slow work belongs in a queue, since Foyer waits for ten seconds

/** Stores what arrived, and returns what became of it. */
function receive(array &$state, string $id, array $message): string
{
    if (isset($state['received'][$id])) return "repeated $id";
    $state['received'][$id] = true;
    $change = $message['data']['change'] ?? null;
    if ($change === null) return "received $message[type]"; // a test message
    // Messages can overtake each other, so an older state must not replace a newer one.
    ['subject_key' => $subject, 'position' => $position] = $change;
    $known = $state['positions'][$subject] ?? 0;
    if ($position <= $known) return "outdated $message[type] $subject $position";
    $state['positions'][$subject] = $position;
    return "applied $message[type] $subject $position";
}
