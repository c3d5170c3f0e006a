import { readFile } from 'node:fs/promises';

import type { FileOrText, Identity } from '@smalt/kube';

import { VirtApiError } from '../virt-api-error.ts';

/** By what we show handlers who we are. */
export interface HandlerCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly cert?: string;
  readonly key?: string;
}

/** Finds what to show the handler of a node. */
export type FindHandlerCredentials = (nodeName: string, signal: AbortSignal) => Promise<HandlerCredentials>;

/** Shows a token. */
export function tokenCredentials(token: string): HandlerCredentials {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** Reads the credentials anew for each use: tokens of service accounts are renewed in their file. */
export async function readHandlerCredentials(identity: Identity): Promise<HandlerCredentials> {
  switch (identity.kind) {
    case 'token':
      return tokenCredentials((await textOf(identity.token)).trim());
    case 'certificate': {
      const [cert, key] = await Promise.all([textOf(identity.certificate), textOf(identity.key)]);
      return { headers: {}, cert, key };
    }
    case 'anonymous':
    case 'password':
    case 'exec': {
      const message = `virt-handler knows callers by token or certificate, and the kubeconfig has ${identity.kind}`;
      throw new VirtApiError('bad-setting', `${message}: give handlers.audience or handlers.tokenFile`);
    }
  }
}

async function textOf(from: FileOrText): Promise<string> {
  return from.kind === 'text' ? from.text : await readFile(from.path, 'utf8');
}
