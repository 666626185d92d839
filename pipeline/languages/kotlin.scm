(class_declaration "interface" (type_identifier) @name (class_body)? @body) @interface
(class_declaration (modifiers (class_modifier) @_m) "class" (type_identifier) @name (class_body)? @body (#eq? @_m "annotation")) @annotation
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @enum
(class_declaration "class" (type_identifier) @name (class_body)? @body) @class
(object_declaration (type_identifier) @name (class_body)? @body) @object
(companion_object (type_identifier) @name (class_body)? @body) @object
(type_alias (type_identifier) @name) @type_alias
(enum_entry (simple_identifier) @name (class_body) @body) @enum_member
(enum_entry (simple_identifier) @name) @enum_member

(class_body (function_declaration (simple_identifier) @name (function_body) @body) @method)
(class_body (function_declaration (simple_identifier) @name) @method)
(function_declaration (simple_identifier) @name (function_body) @body) @function
(function_declaration (simple_identifier) @name) @function
(secondary_constructor "constructor" @name (statements) @body) @constructor
(secondary_constructor "constructor" @name) @constructor
(class_declaration (type_identifier) @owner
  (primary_constructor (class_parameter (binding_pattern_kind) (simple_identifier) @name) @property))
(property_declaration (modifiers) @_m (variable_declaration (simple_identifier) @name) (#match? @_m "const")) @constant
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @property)
(enum_class_body (property_declaration (variable_declaration (simple_identifier) @name)) @property)
(property_declaration (variable_declaration (simple_identifier) @name)) @variable
