//! The additions of Arduino sketches to C++: words whose meaning depends only on their text.
//!
//! Pygments reads a sketch as C++ and then looks at every token: certain texts are names, and
//! certain others are not, whatever the token was before. So a keyword or the content of a string
//! can be a name.

use std::{ops::Range, sync::LazyLock};

use super::{
    C,
    dialect::{self, Dialect},
};
use crate::words::Words;

/// Words that are always names, or never, if they are tokens by themselves.
static WORDS: LazyLock<Words<bool>> = LazyLock::new(|| {
    let hidden = "ANALOG_MESSAGE DIGITAL_MESSAGE EXTERNAL FIRMATA_STRING HIGH INPUT INPUT_PULLUP INTERNAL \
        INTERNAL1V1 INTERNAL2V56 LED_BUILTIN LOW OUTPUT PROGMEM REPORT_ANALOG REPORT_DIGITAL \
        SET_PIN_MODE SYSEX_START SYSTEM_RESET String _Bool _Complex _Imaginary and array \
        atomic_bool atomic_char atomic_int atomic_llong atomic_long atomic_schar atomic_short \
        atomic_uchar atomic_uint atomic_ullong atomic_ulong atomic_ushort auto bool boolean byte \
        char class complex const const_cast delete double dynamic_cast enum explicit extern \
        false float friend inline int int16_t int32_t int64_t int8_t long not operator or \
        private protected public register reinterpret_cast short signed sizeof static \
        static_cast string struct true typedef uint16_t uint32_t uint64_t uint8_t union unsigned \
        virtual void volatile word xor";
    let shown = "alignof asm constexpr decltype loop mutable namespace noexcept restrict setup \
        static_assert template this thread_local typeid typename using";
    let functions = "Audio BSSID Bridge Client Console EEPROM Esplora EsploraTFT Ethernet EthernetClient \
        EthernetServer EthernetUDP File FileIO FileSystem Firmata GPRS GSM GSMBand GSMClient \
        GSMModem GSMPIN GSMScanner GSMServer GSMVoiceCall GSM_SMS HttpClient IPAddress IRread \
        Keyboard KeyboardController LiquidCrystal Mailbox Mouse MouseController PImage Process \
        RSSI RobotControl RobotMotor SD SPI SSID Scheduler Serial Server Servo SoftwareSerial \
        Stepper Stream TFT Task USBHost WiFi WiFiClient WiFiServer WiFiUDP Wire YunClient \
        YunServer abs addParameter analogRead analogReadResolution analogReference analogWrite \
        analogWriteResolution answerCall attach attachGPRS attachInterrupt attached autoscroll \
        available background beep begin beginPacket beginSD beginSMS beginSpeaker beginTFT \
        beginTransmission beginWrite bit bitClear bitRead bitSet bitWrite blink blinkVersion \
        buffer changePIN checkPIN checkPUK checkReg circle cityNameRead cityNameWrite clear \
        clearScreen click close compassRead config connect connected constrain cos \
        countryNameRead countryNameWrite createChar cursor debugPrint delay delayMicroseconds \
        detach detachInterrupt digitalRead digitalWrite disconnect display displayLogos drawBMP \
        drawCompass encryptionType end endPacket endSMS endTransmission endWrite exists \
        exitValue fill find findUntil flush gatewayIP get getAsynchronously getBand getButton \
        getCurrentCarrier getIMEI getKey getModifiers getOemKey getPINUsed getResult \
        getSignalStrength getSocket getVoiceCallStatus getXChange getYChange hangCall height \
        highByte home image interrupts isActionDone isAlpha isAlphaNumeric isAscii isControl \
        isDigit isDirectory isGraph isHexadecimalDigit isListening isLowerCase isPIN isPressed \
        isPrintable isPunct isSpace isUpperCase isValid isWhitespace keyPressed keyReleased \
        keyboardRead knobRead leftToRight line lineFollowConfig listen listenOnLocalhost \
        loadImage localIP lowByte macAddress maintain map max messageAvailable micros millis min \
        mkdir motorsStop motorsWrite mouseDragged mouseMoved mousePressed mouseReleased move \
        noAutoscroll noBlink noBuffer noCursor noDisplay noFill noInterrupts noListenOnLocalhost \
        noStroke noTone onReceive onRequest open openNextFile overflow parseCommand parseFloat \
        parseInt parsePacket pauseMode peek pinMode playFile playMelody point pointTo position \
        pow prepare press print printFirmwareVersion printVersion println process processInput \
        pulseIn put random randomSeed read readAccelerometer readBlue readButton readBytes \
        readBytesUntil readGreen readJoystickButton readJoystickSwitch readJoystickX \
        readJoystickY readLightSensor readMessage readMicrophone readNetworks readRed readSlider \
        readString readStringUntil readTemperature ready rect release releaseAll remoteIP \
        remoteNumber remotePort remove requestFrom retrieveCallingNumber rewindDirectory \
        rightToLeft rmdir robotNameRead robotNameWrite run runAsynchronously runShellCommand \
        runShellCommandAsynchronously running scanNetworks scrollDisplayLeft scrollDisplayRight \
        seek sendAnalog sendDigitalPortPair sendDigitalPorts sendString sendSysex serialEvent \
        setBand setBitOrder setClockDivider setCursor setDNS setDataMode setFirmwareVersion \
        setMode setPINUsed setSpeed setTextSize setTimeout shiftIn shiftOut shutdown sin size \
        sqrt startLoop step stop stroke subnetMask switchPIN tan tempoWrite text tone transfer \
        tuneWrite turn updateIR userNameRead userNameWrite voiceCall waitContinue width write \
        writeBlue writeGreen writeJSON writeMessage writeMicroseconds writeRGB writeRed yield";
    Words::new(&[(false, hidden), (true, shown), (true, functions)])
});

/// Appends the names of a sketch, in order of appearance.
pub(in crate::lexers) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let before = names.len();
    dialect::scan(text, Dialect::Arduino, names);
    let mut index = 0;
    names.retain(|name| {
        index += 1;
        let hidden = text.get(name.clone()).and_then(|text| WORDS.get(text)) == Some(false);
        index <= before || !hidden
    });
}

impl C<'_, '_> {
    /// Records a token that is not a name in C++ but may be one in a sketch.
    pub fn piece(&mut self, range: Range<usize>) {
        if self.memory.dialect == Dialect::Arduino
            && WORDS.get(self.cursor.slice(range.clone())) == Some(true)
        {
            self.note(range);
        }
    }
}
