(class_definition name: (identifier) @name body: (_) @body) @class
(mixin_declaration (identifier) @name (class_body) @body) @trait
(extension_declaration name: (identifier) @name body: (_) @body) @extension
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(enum_constant name: (identifier) @name) @enum_member
(type_alias . "typedef" . (type_identifier) @name) @type_alias

; A body is the sibling of its head; the two make one declaration.
((method_signature (function_signature name: (identifier) @name)) @method . (function_body) @body @method)
(method_signature (function_signature name: (identifier) @name)) @method
((method_signature (getter_signature name: (identifier) @name)) @property . (function_body) @body @property)
(method_signature (getter_signature name: (identifier) @name)) @property
((method_signature (setter_signature name: (identifier) @name)) @property . (function_body) @body @property)
(method_signature (setter_signature name: (identifier) @name)) @property
((method_signature (operator_signature (binary_operator) @name)) @method . (function_body) @body @method)
(method_signature (operator_signature (binary_operator) @name)) @method
((method_signature (constructor_signature name: (identifier) @name . (formal_parameter_list))) @constructor . (function_body) @body @constructor)
(method_signature (constructor_signature name: (identifier) @name . (formal_parameter_list))) @constructor
((method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @constructor . (function_body) @body @constructor)
(method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @constructor
(declaration (constructor_signature name: (identifier) @name . (formal_parameter_list))) @constructor
(declaration (constant_constructor_signature (identifier) @name . (formal_parameter_list))) @constructor
(declaration (redirecting_factory_constructor_signature (identifier) @name)) @constructor
(declaration (function_signature name: (identifier) @name)) @method
(declaration (getter_signature name: (identifier) @name)) @property
(declaration (setter_signature name: (identifier) @name)) @property
(declaration (operator_signature (binary_operator) @name)) @method
(declaration (static_final_declaration_list (static_final_declaration (identifier) @name))) @constant
(declaration (initialized_identifier_list (initialized_identifier (identifier) @name))) @field

(local_function_declaration (lambda_expression parameters: (function_signature name: (identifier) @name) body: (_) @body)) @function
(program (function_signature name: (identifier) @name) @function . (function_body) @body @function)
(program (function_signature name: (identifier) @name) @function)
(program (getter_signature name: (identifier) @name) @property . (function_body) @body @property)
(program (getter_signature name: (identifier) @name) @property)
(program (setter_signature name: (identifier) @name) @property . (function_body) @body @property)
(program (setter_signature name: (identifier) @name) @property)
(program (static_final_declaration_list (static_final_declaration (identifier) @name)) @constant)
(program (initialized_identifier_list (initialized_identifier (identifier) @name)) @variable)
