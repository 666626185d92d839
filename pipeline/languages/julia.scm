(module_definition name: (identifier) @name (block) @body) @module
(module_definition name: (identifier) @name) @module
(struct_definition (type_head [(identifier) @name (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  (parametrized_type_expression . (identifier) @name)]) (block) @body) @struct
(struct_definition (type_head [(identifier) @name (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  (parametrized_type_expression . (identifier) @name)])) @struct
(abstract_definition (type_head [(identifier) @name (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  (parametrized_type_expression . (identifier) @name)])) @type
(primitive_definition (type_head [(identifier) @name (binary_expression . (identifier) @name)])) @type
(struct_definition (block [(typed_expression . (identifier) @name) (identifier) @name] @field))

(function_definition (signature [
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . (call_expression . (_) @name))
  (where_expression . (typed_expression . (call_expression . (_) @name)))
  (identifier) @name]) (block) @body) @function
(function_definition (signature [
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . (call_expression . (_) @name))
  (where_expression . (typed_expression . (call_expression . (_) @name)))
  (identifier) @name])) @function
(macro_definition (signature (call_expression . (_) @name)) (block) @body) @macro
(assignment . [
  (call_expression . (_) @name)
  (typed_expression . (call_expression . (_) @name))
  (where_expression . (call_expression . (_) @name))] (operator) @body) @function
(const_statement (assignment . (identifier) @name)) @constant
(source_file (assignment . (identifier) @name) @variable)
(module_definition (block (assignment . (identifier) @name) @variable))
