<?php

namespace App\Mail;

interface Transport
{
    public function deliver(string $text): bool;
}

trait LogsLines
{
    protected function logLine(string $line): void
    {
        error_log($line);
    }
}

class Mailer
{
    use LogsLines;

    public function __construct(private Transport $transport)
    {
    }

    public function sendMail(string $text): bool
    {
        $this->logLine($text);
        return $this->transport->deliver($text);
    }
}
