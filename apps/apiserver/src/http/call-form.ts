import { hasProtobuf } from '@smalt/kubernetes-api';

import { negotiate, wantsPretty } from './negotiate.ts';
import type { ResourceCall } from './resource-handler.ts';
import { parseIncludeObject, type AnswerForm } from './respond.ts';

/** In which form the answer to a call goes out. Throws 406 when the client accepts none that can be had. */
export function formOf(call: ResourceCall, now: Date): AnswerForm {
  const { exchange, info, resource } = call;
  const offer = {
    hasProtobuf: resource.isBuiltIn && info.verb !== 'watch' && hasProtobuf(resource),
    hasTransforms: true,
  };
  const choice = negotiate(exchange.header('accept'), offer);
  return {
    choice,
    isPretty: choice.isPretty || wantsPretty(info.query, exchange.header('user-agent')),
    includeObject: choice.transform?.kind === 'Table' ? parseIncludeObject(info.query) : 'Metadata',
    now,
  };
}
