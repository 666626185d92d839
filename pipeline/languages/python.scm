; Classes and functions; a function in a class is made a method by its owner.
(decorated_definition) @decorated

(class_definition name: (identifier) @name ":" @body) @class
(function_definition name: (identifier) @name ":" @body) @function

(type_alias_statement left: (type (identifier) @name)) @type_alias
(type_alias_statement left: (type (generic_type . (identifier) @name))) @type_alias

; Names of the module, also those of its conditional halves.
(module (assignment left: (identifier) @name) @variable)
(module (if_statement (block (assignment left: (identifier) @name) @variable)))
(module (if_statement (else_clause (block (assignment left: (identifier) @name) @variable))))
(module (try_statement (block (assignment left: (identifier) @name) @variable)))
(module (try_statement (except_clause (block (assignment left: (identifier) @name) @variable))))
(module (assignment left: (pattern_list (identifier) @name)) @variable)
(module (assignment right: (assignment left: (identifier) @name) @variable))

; Names of a class.
(class_definition body: (block (assignment left: (identifier) @name) @field))
