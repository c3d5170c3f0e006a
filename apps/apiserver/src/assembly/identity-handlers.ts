import type { RequestAuthenticator } from '../identity/authenticator.ts';
import { requestToken, type TokenRequestDependencies } from '../identity/token-request.ts';
import { reviewSelf, reviewToken } from '../identity/token-review.ts';
import { creatingHandler } from '../http/creating-handler.ts';
import type { ResourceHandler, ResourceHandlers } from '../http/resource-handler.ts';
import type { Admission } from '../registry/admission.ts';
import { admitSubresource } from './admit-subresource.ts';

const GROUP = 'authentication.k8s.io';
const TOKEN_REQUEST = { group: GROUP, version: 'v1', kind: 'TokenRequest' };

/** What tells people and programs who they are, and gives tokens to service accounts. */
export function identityHandlers(
  authenticator: RequestAuthenticator,
  tokens: TokenRequestDependencies,
  admission: Admission,
): ResourceHandlers {
  return new Map<string, ResourceHandler>([
    [
      `${GROUP}/tokenreviews`,
      creatingHandler(async (call) =>
        reviewToken(authenticator, call.info.namespace, await call.readBody(call.resource)),
      ),
    ],
    [`${GROUP}/selfsubjectreviews`, creatingHandler((call) => Promise.resolve(reviewSelf(call.user, tokens.now())))],
    [
      '/serviceaccounts/token',
      creatingHandler(async (call) => {
        const { namespace, name } = call.info;
        const asked = await call.readBody(TOKEN_REQUEST);
        const write = { name, subresource: 'token', object: asked, resource: call.resource };
        return requestToken(tokens, { namespace, name }, await admitSubresource(admission, call, write));
      }),
    ],
  ]);
}
