import { isKubeError, type KubeErrorCode } from '@smalt/kube';

export interface ApiFailure {
  /** Whether nothing at all can be had from the server, rather than something be refused. */
  readonly isAway: boolean;
  /** The same for all requests that fail for the same reason. */
  readonly key: string;
  /** What is wrong, and what to do about it. */
  readonly text: string;
}

/** Says what a failed request tells about the API server. */
export function describeApiFailure(error: unknown, server: string): ApiFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (!isKubeError(error)) return { isAway: false, key: message, text: `asking the API server failed: ${message}` };
  const { code, cause, status } = error;
  const reason = (cause instanceof Error ? cause.message : status?.message) ?? message;
  const away = (text: string): ApiFailure => ({ isAway: true, key: `${code} ${reason}`, text });
  switch (kindOf(code)) {
    case 'unreachable':
      return away(
        `the API server ${server} cannot be reached: ${reason}. See that it runs, and that the kubeconfig has its address and authority`,
      );
    case 'failing':
      return away(`the API server ${server} does not work: ${reason}. Its own log tells why`);
    case 'stranger':
      return away(
        `the API server ${server} does not accept the agent's credentials: ${reason}. Renew the token or certificate in the kubeconfig`,
      );
    case 'refused':
      return {
        isAway: false,
        key: message,
        text: `the API server ${server} refuses something: ${message}. ${remedyOf(code)}`,
      };
  }
}

/** Whether the server works, knows the agent, and will not let it do this, now or later. */
export function isRefusal(error: unknown): boolean {
  return isKubeError(error) && kindOf(error.code) === 'refused';
}

function kindOf(code: KubeErrorCode): 'unreachable' | 'failing' | 'stranger' | 'refused' {
  switch (code) {
    // A request that got no answer is given up by who made it.
    case 'aborted':
    case 'connection':
    case 'timeout':
    case 'bad-config':
      return 'unreachable';
    case 'bad-answer':
    case 'expired':
    case 'server':
    case 'too-many-requests':
      return 'failing';
    case 'unauthorized':
      return 'stranger';
    case 'already-exists':
    case 'apply-conflict':
    case 'bad-request':
    case 'conflict':
    case 'forbidden':
    case 'invalid':
    case 'not-found':
    case 'unsupported':
      return 'refused';
  }
}

function remedyOf(code: KubeErrorCode): string {
  if (code === 'forbidden') return "Give the agent's account the right to do that";
  if (code === 'not-found')
    return 'Install the definitions of the fleet, and create the namespace if that is what is missing';
  return 'The server may be of another version than the agent';
}
