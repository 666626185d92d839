(package_statement name: (package) @name (block) @body) @module
(package_statement name: (package) @name ";") @package
(class_statement name: (package) @name (block) @body) @class
(subroutine_declaration_statement name: (bareword) @name body: (_) @body) @function
(subroutine_declaration_statement name: (bareword) @name) @function
(method_declaration_statement name: (bareword) @name body: (_) @body) @method
(use_statement module: (package) @_p (list_expression . (autoquoted_bareword) @name) (#eq? @_p "constant")) @constant
(use_statement module: (package) @_p
  (anonymous_hash_expression (list_expression (autoquoted_bareword) @name @constant)) (#eq? @_p "constant"))
(source_file (expression_statement (assignment_expression
  left: (variable_declaration "our" variable: (_ (varname) @name))) @variable))
