(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"] rhs: (function_definition body: (_) @body)) @function
(binary_operator lhs: (identifier) @name operator: ["<-" "="]
  rhs: (call function: (_) @_f arguments: (_) @body) (#match? @_f "R6Class$|^setRefClass$|^setClass$|^ggproto$")) @class
(call function: (identifier) @_f arguments: (arguments . argument: (argument value: (string content: (_) @name)))
  (#any-of? @_f "setClass" "setRefClass")) @class
(call function: (identifier) @_f arguments: (arguments . argument: (argument value: (string content: (_) @name)))
  (#any-of? @_f "setGeneric" "setMethod" "setValidity")) @function
(argument name: (identifier) @name value: (function_definition body: (_) @body)) @member
(program (binary_operator lhs: (identifier) @name operator: ["<-" "="]) @variable)
