; Tags of a Chatito file. Each of the three kinds of block is a definition;
; slots and aliases are also referred to inside sentences, intents never.

(intent_def (intent) @name.definition.intent)

(slot_def (slot) @name.definition.slot)
(slot_ref (slot) @name.reference.slot)

(alias_def (alias) @name.definition.alias)
(alias_ref (alias) @name.reference.alias)
