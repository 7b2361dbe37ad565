//! Words of Perl.

use std::sync::LazyLock;

use crate::words::Words;

/// The meaning of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A keyword or an operator, which is not a name.
    Keyword,
    /// A built-in function or file handle, which is a name.
    Builtin,
}

/// The words of Perl.
pub(super) static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let keywords = "case continue do else elsif for foreach if last my next our redo reset then \
        unless until while print new BEGIN CHECK INIT END return eq lt gt le ge ne not and or cmp";
    let numbers_and_texts = "abs atan2 chomp chop chr cos crypt exp hex index int join lc lcfirst \
        length log oct ord pack pos prototype quotemeta rand reverse rindex sin sort split sprintf \
        sqrt srand study substr tr uc ucfirst unpack vec";
    let lists = "defined delete each exists grep keys map pop push ref scalar shift splice undef \
        unshift values wantarray";
    let files = "binmode chdir chmod chown chroot close closedir eof fcntl fileno flock format \
        formline getc glob ioctl link lstat mkdir open opendir pipe printf read readdir readline \
        readlink readpipe rename rewinddir rmdir seek seekdir select stat symlink syscall sysopen \
        sysread sysseek syswrite tell telldir truncate umask unlink utime write dbmclose dbmopen";
    let processes = "alarm bless caller die dump eval exec exit fork getpgrp getppid getpriority \
        goto import kill local localtime gmtime setpgrp setpriority sleep system tie tied time \
        times untie wait waitpid warn";
    let network = "accept bind connect getpeername getsockname getsockopt listen recv send \
        setsockopt shutdown socket socketpair msgctl msgget msgrcv msgsnd semctl semget semop \
        shmctl shmget shmread shmwrite";
    let databases = "endgrent endhostent endnetent endprotoent endpwent endservent getgrent getgrgid \
        getgrnam gethostbyaddr gethostbyname gethostent getlogin getnetbyaddr getnetbyname getnetent \
        getprotobyname getprotobynumber getprotoent getpwent getpwnam getpwuid getservbyname \
        getservbyport getservent setgrent sethostent setnetent setprotoent setpwent setservent";
    let handles = "__DATA__ __DIE__ __WARN__ STDIN STDOUT STDERR";
    let builtins = [numbers_and_texts, lists, files, processes, network, databases, handles]
        .map(|words| (Word::Builtin, words));
    let groups: Vec<(Word, &str)> =
        [(Word::Keyword, keywords)].into_iter().chain(builtins).collect();
    Words::new(&groups)
});
