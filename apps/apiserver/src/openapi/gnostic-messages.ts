/** How the value of a field is written: a scalar, JSON text, a list of texts, or a message by name. */
export type FieldKind =
  | 'string'
  | 'bool'
  | 'double'
  | 'int64'
  | 'json'
  | 'jsons'
  | 'strings'
  | { readonly message: string }
  | { readonly messages: string }
  /** An object whose names are the callers': each entry becomes a message with the name and the value. */
  | { readonly named: string };

/** The fields of a message: by their names in JSON, the number and the kind. */
export type MessageFields = ReadonlyMap<string, readonly [number, FieldKind]>;

/** The number under which a message keeps fields that start with `x-`. */
export const EXTENSION_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['Document', 16],
  ['Schema', 31],
  ['Operation', 13],
  ['PathItem', 10],
]);

const SCHEMA: MessageFields = new Map<string, readonly [number, FieldKind]>([
  ['$ref', [1, 'string']],
  ['format', [2, 'string']],
  ['title', [3, 'string']],
  ['description', [4, 'string']],
  ['default', [5, 'json']],
  ['multipleOf', [6, 'double']],
  ['maximum', [7, 'double']],
  ['exclusiveMaximum', [8, 'bool']],
  ['minimum', [9, 'double']],
  ['exclusiveMinimum', [10, 'bool']],
  ['maxLength', [11, 'int64']],
  ['minLength', [12, 'int64']],
  ['pattern', [13, 'string']],
  ['maxItems', [14, 'int64']],
  ['minItems', [15, 'int64']],
  ['uniqueItems', [16, 'bool']],
  ['maxProperties', [17, 'int64']],
  ['minProperties', [18, 'int64']],
  ['required', [19, 'strings']],
  ['enum', [20, 'jsons']],
  ['additionalProperties', [21, { message: 'AdditionalProperties' }]],
  ['type', [22, { message: 'Type' }]],
  ['items', [23, { message: 'Items' }]],
  ['allOf', [24, { messages: 'Schema' }]],
  ['properties', [25, { message: 'Properties' }]],
]);

/** The messages of an OpenAPI v2 document in gnostic's protobuf form, as far as our documents have them. */
export const MESSAGES: ReadonlyMap<string, MessageFields> = new Map([
  [
    'Document',
    new Map<string, readonly [number, FieldKind]>([
      ['swagger', [1, 'string']],
      ['info', [2, { message: 'Info' }]],
      ['paths', [8, { message: 'Paths' }]],
      ['definitions', [9, { message: 'Properties' }]],
    ]),
  ],
  [
    'Info',
    new Map<string, readonly [number, FieldKind]>([
      ['title', [1, 'string']],
      ['version', [2, 'string']],
    ]),
  ],
  ['Schema', SCHEMA],
  [
    'PathItem',
    new Map<string, readonly [number, FieldKind]>([
      ['get', [2, { message: 'Operation' }]],
      ['put', [3, { message: 'Operation' }]],
      ['post', [4, { message: 'Operation' }]],
      ['delete', [5, { message: 'Operation' }]],
      ['patch', [8, { message: 'Operation' }]],
      ['parameters', [9, { messages: 'ParametersItem' }]],
    ]),
  ],
  [
    'Operation',
    new Map<string, readonly [number, FieldKind]>([
      ['description', [3, 'string']],
      ['operationId', [5, 'string']],
      ['produces', [6, 'strings']],
      ['consumes', [7, 'strings']],
      ['parameters', [8, { messages: 'ParametersItem' }]],
      ['responses', [9, { message: 'Responses' }]],
      ['schemes', [10, 'strings']],
    ]),
  ],
  [
    'BodyParameter',
    new Map<string, readonly [number, FieldKind]>([
      ['description', [1, 'string']],
      ['name', [2, 'string']],
      ['in', [3, 'string']],
      ['required', [4, 'bool']],
      ['schema', [5, { message: 'Schema' }]],
    ]),
  ],
  [
    'QueryParameter',
    new Map<string, readonly [number, FieldKind]>([
      ['required', [1, 'bool']],
      ['in', [2, 'string']],
      ['description', [3, 'string']],
      ['name', [4, 'string']],
      ['type', [6, 'string']],
      ['uniqueItems', [20, 'bool']],
    ]),
  ],
  [
    'PathParameter',
    new Map<string, readonly [number, FieldKind]>([
      ['required', [1, 'bool']],
      ['in', [2, 'string']],
      ['description', [3, 'string']],
      ['name', [4, 'string']],
      ['type', [5, 'string']],
      ['uniqueItems', [19, 'bool']],
    ]),
  ],
  [
    'Response',
    new Map<string, readonly [number, FieldKind]>([
      ['description', [1, 'string']],
      ['schema', [2, { message: 'SchemaItem' }]],
    ]),
  ],
]);
