/** What was wrong with text of the Kubernetes API. */
export type KubernetesErrorCode = 'invalid-selector';

export class KubernetesError extends Error {
  readonly code: KubernetesErrorCode;

  constructor(code: KubernetesErrorCode, message: string) {
    super(message);
    this.name = 'KubernetesError';
    this.code = code;
  }
}
