(function_definition name: (word) @name body: (_) @body) @function
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name) @constant))
(program (declaration_command (variable_assignment name: (variable_name) @name) @variable))
(program (variable_assignment name: (variable_name) @name) @variable)
(program (variable_assignments (variable_assignment name: (variable_name) @name) @variable))
