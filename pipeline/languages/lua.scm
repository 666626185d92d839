(function_declaration name: (identifier) @name body: (_)? @body) @function
(function_declaration name: (dot_index_expression) @name body: (_)? @body) @function
(function_declaration name: (method_index_expression table: (_) @owner method: (_) @name) body: (_)? @body) @function
(assignment_statement (variable_list . name: (_) @name .) (expression_list . value: (function_definition) @value)) @function
(assignment_statement (variable_list . name: (dot_index_expression) @name)) @field
(field name: (identifier) @name value: (function_definition) @value) @function
(chunk (assignment_statement (variable_list name: (identifier) @name)) @variable)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @variable)
(chunk (variable_declaration (variable_list name: (identifier) @name)) @variable)
