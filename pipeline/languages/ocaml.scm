(exception_definition (constructor_declaration (constructor_name) @name)) @type
(let_binding pattern: (value_name) @name (parameter) body: (_) @body) @function
(let_binding pattern: (parenthesized_operator (_) @name) (parameter) body: (_) @body) @function
(let_binding pattern: (value_name) @name body: [(function_expression) (fun_expression)] @body) @function
(compilation_unit (value_definition (let_binding pattern: (value_name) @name) @variable))
(structure (value_definition (let_binding pattern: (value_name) @name) @variable))
(compilation_unit (value_definition (let_binding pattern: (parenthesized_operator (_) @name)) @function))
(structure (value_definition (let_binding pattern: (parenthesized_operator (_) @name)) @function))
(class_binding (class_name) @name body: (_) @body) @class
(method_definition (method_name) @name body: (_) @body) @method
(method_definition (method_name) @name) @method
(instance_variable_definition (instance_variable_name) @name) @field
