; Tags of a .properties file: keys, and keys put into the value of another.

(property (key) @name.definition.property)
(substitution (key) @name.reference.property)
