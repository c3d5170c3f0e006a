export { builtInResources } from './built-in-resources.ts';
export { checkTypes } from './check-types.ts';
export { convertVersion, storageVersionOf } from './convert-version.ts';
export {
  isMalformed,
  isUnknownKind,
  isWrongType,
  KubernetesApiError,
  type KubernetesApiErrorCode,
} from './kubernetes-api-error.ts';
export {
  componentNameOf,
  metaSchemas,
  openApiComponents,
  schemaOf,
  type OpenApiComponents,
} from './open-api-components.ts';
export { decodeProtobuf, encodeProtobuf, hasProtobuf, type KindHint } from './protobuf.ts';
export { validateApproval } from './rules/certificate-rules.ts';
export { subresourceStrategy } from './subresource-strategy.ts';
export { formatLabelSelector, selectorMatches } from './validation/label-selector.ts';
