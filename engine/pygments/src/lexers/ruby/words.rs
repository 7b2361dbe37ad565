//! Words with a special meaning in Ruby.

use std::sync::LazyLock;

use crate::words::Words;

/// The meaning of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A keyword, or a method that looks like one; not a name.
    Plain,
    Module,
    Def,
    Class,
    /// A core method that counts as a name even in `name: value`, unless a dot precedes it.
    Builtin,
}

/// The words of Ruby.
pub(super) static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let plain = "BEGIN END alias begin break case do else elsif end ensure for if in next redo \
        rescue raise retry return super then undef unless until when while yield initialize new \
        loop include extend attr_reader attr_writer attr_accessor attr catch throw private \
        module_function public protected true false nil not and or";
    let builtin = "Array Float Integer String __id__ __send__ abort ancestors at_exit autoload \
        binding callcc caller chomp chop class_eval class_variables clone const_get const_missing \
        const_set constants display dup eval exec exit fail fork format freeze getc gets \
        global_variables gsub hash id included_modules inspect instance_eval instance_method \
        instance_methods instance_variable_get instance_variable_set instance_variables lambda \
        load local_variables method method_missing methods module_eval name object_id open p \
        print printf private_class_method private_instance_methods private_methods proc \
        protected_instance_methods protected_methods public_class_method public_instance_methods \
        public_methods putc puts rand readline readlines require scan select self send \
        set_trace_func singleton_methods sleep split sprintf srand sub syscall system taint test \
        to_a to_s trace_var trap untaint untrace_var warn";
    Words::new(&[
        (Word::Plain, plain),
        (Word::Module, "module"),
        (Word::Def, "def"),
        (Word::Class, "class"),
        (Word::Builtin, builtin),
    ])
});

/// Methods whose names include their `?`; they are looked up before the words above.
pub(super) static QUESTIONS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "autoload block_given const_defined eql equal frozen instance_of is_a iterator \
        kind_of method_defined private_method_defined protected_method_defined \
        public_method_defined respond_to tainted";
    Words::new(&[((), words)])
});
