(TestDecl (STRINGLITERALSINGLE) @name (Block) @body) @ignored
(VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType "struct") @body)))) @struct
(VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType "union") @body)))) @union
(VarDecl variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType "enum") @body)))) @enum
(VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (ErrorSetDecl) @body))) @enum
(VarDecl "const" variable_type_function: (IDENTIFIER) @name) @constant
(VarDecl variable_type_function: (IDENTIFIER) @name) @variable
(ContainerField field_member: (IDENTIFIER) @name) @field
(ErrorSetDecl field_constant: (IDENTIFIER) @name @enum_member)

; A body is the sibling of its head.
((FnProto function: (IDENTIFIER) @name) @function . (Block) @body @function)
(FnProto function: (IDENTIFIER) @name) @function
