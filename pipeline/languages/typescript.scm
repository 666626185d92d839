(ambient_declaration) @wrap
(ambient_declaration "global" (statement_block) @body) @scope

(class_declaration name: (type_identifier) @name body: (_) @body) @class
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @class
(interface_declaration name: (type_identifier) @name body: (_) @body) @interface
(type_alias_declaration name: (type_identifier) @name value: (object_type) @body) @type_alias
(type_alias_declaration name: (type_identifier) @name) @type_alias
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(internal_module name: (_) @name body: (_) @body) @namespace
(module name: (string) @name body: (_)? @body) @module
(module name: (_) @name body: (_) @body) @namespace

(function_signature name: (identifier) @name) @function
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
]) @method
(public_field_definition name: (_) @name) @field
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @field
(interface_body (property_signature name: (_) @name type: (type_annotation (object_type) @body)) @field)
(interface_body (property_signature name: (_) @name) @field)
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @field))
(enum_assignment name: (_) @name) @enum_member
(enum_body name: (_) @name @enum_member)

; Names of ambient declarations and of namespaces.
(program (ambient_declaration (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)))
(program (ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(program (ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
(program (export_statement (ambient_declaration (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant))))
(program (export_statement (ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @variable))))
(internal_module body: (statement_block [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)
  (export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant))
]))
(internal_module body: (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name) @variable)
  (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
  (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable))
]))
(module body: (statement_block [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)
  (export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant))
]))
(module body: (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name) @variable)
  (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
  (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable))
]))
