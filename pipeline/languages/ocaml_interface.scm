(exception_definition (constructor_declaration (constructor_name) @name)) @type
(value_specification (value_name) @name) @function
(value_specification (parenthesized_operator (_) @name)) @function
(external (value_name) @name) @function
(external (parenthesized_operator (_) @name)) @function
(type_binding name: (_) @name body: (_) @body) @type
(type_binding name: (_) @name) @type
(constructor_declaration (constructor_name) @name) @enum_member
(field_declaration (field_name) @name) @field
(module_binding . (module_name) @name body: (_) @body) @module
(module_binding . (module_name) @name module_type: (_) @body) @module
(module_binding . (module_name) @name) @module
(module_type_definition (module_type_name) @name body: (_) @body) @interface
(module_type_definition (module_type_name) @name) @interface
(class_type_binding (class_type_name) @name body: (_) @body) @class
(class_binding (class_name) @name class_type: (_) @body) @class
(method_specification (method_name) @name) @method
