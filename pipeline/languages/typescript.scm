(ambient_declaration) @wrap
(ambient_declaration "global" (statement_block) @body) @scope

(class_declaration name: (type_identifier) @name body: (class_body) @body) @class
(abstract_class_declaration name: (type_identifier) @name body: (class_body) @body) @class
(interface_declaration name: (type_identifier) @name body: (interface_body) @body) @interface
(type_alias_declaration name: (type_identifier) @name value: (object_type)? @value) @type_alias
(enum_declaration name: (identifier) @name body: (enum_body) @body) @enum
(internal_module name: _ @name body: (statement_block) @body) @namespace
(module name: (string) @name body: (statement_block)? @body) @module
(module name: _ @name body: (statement_block) @body) @namespace

(function_signature name: (identifier) @name) @function
(method_signature name: _ @name) @method
(abstract_method_signature name: _ @name) @method
(public_field_definition name: _ @name value: [(arrow_function) (function_expression)] @value) @method
(public_field_definition name: _ @name) @field
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @field
(interface_body (property_signature name: _ @name) @field)
(type_alias_declaration value: (object_type (property_signature name: _ @name) @field))
(enum_assignment name: _ @name) @enum_member
(enum_body name: _ @name @enum_member)

; Names of ambient declarations; those that a namespace exports are among the exports.
(ambient_declaration (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant))
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @variable))
