; Tags of a Protocol Buffers file: messages, enums, services and their methods. Fields are no tags:
; nearly every message has a `name` or an `id`, and they would tie all files to each other.

(message (message_name (identifier) @name.definition.message))
(enum (enum_name (identifier) @name.definition.enum))
(service (service_name (identifier) @name.definition.service))
(rpc (rpc_name (identifier) @name.definition.method))

; The type of a field, a request or a response: its last part is the name that a file defines.
(message_or_enum_type (identifier) @name.reference.type .)

; `extend` adds to a message that is defined elsewhere.
(extend (full_ident (identifier) @name.reference.type .))
