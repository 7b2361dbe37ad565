<html>
<?php
require 'Mailer.php';

use App\Mail\Mailer;
use App\Mail\Transport;

class Printing implements Transport
{
    const WIDTH = 80;

    public function deliver(string $text): bool
    {
        return print_text($text);
    }
}

function print_text(string $text): bool
{
    echo $text;
    return true;
}

(new Mailer(new Printing()))->sendMail('hello');
?>
</html>
