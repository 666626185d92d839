(namespace_definition name: (namespace_name) @name body: (_) @body) @package
(namespace_definition name: (namespace_name) @name !body) @package

(class_declaration name: (name) @name body: (_) @body) @class
(interface_declaration name: (name) @name body: (_) @body) @interface
(trait_declaration name: (name) @name body: (_) @body) @trait
(enum_declaration name: (name) @name body: (_) @body) @enum
(enum_case name: (name) @name) @enum_member
(method_declaration name: (name) @name body: (_) @body) @method
(method_declaration name: (name) @name) @method
(function_definition name: (name) @name body: (_) @body) @function
(const_declaration (const_element . (name) @name)) @constant
(property_declaration (property_element name: (variable_name (name) @name))) @field
(property_promotion_parameter name: (variable_name (name) @name) @field)
(function_call_expression function: (name) @_f arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_f "define")) @constant
