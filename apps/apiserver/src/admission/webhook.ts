import type { JsonObject } from '@smalt/json';

import { objectAt, objectsAt, textAt, textsAt } from '../identity/object-fields.ts';
import { metadataText } from '../registry/object-metadata.ts';
import { MatchConditions } from './match-conditions.ts';
import type { RuleSet } from './match-rules.ts';

/** One webhook of a configuration. */
export interface Webhook {
  readonly name: string;
  /** The name of the configuration it stands in. */
  readonly configuration: string;
  readonly rules: RuleSet;
  /** Holds `namespaceSelector` and `objectSelector`. */
  readonly selectors: JsonObject;
  readonly conditions: MatchConditions;
  readonly clientConfig: JsonObject;
  readonly timeoutSeconds: number;
  /** Whether a write passes when the webhook cannot be asked. */
  readonly isIgnoredOnFailure: boolean;
  readonly supportsDryRun: boolean;
  /** Whether it wants to see what later ones have made of the object. */
  readonly wantsReinvocation: boolean;
  readonly reviewVersion: 'v1' | 'v1beta1';
}

/** The webhooks of a MutatingWebhookConfiguration or a ValidatingWebhookConfiguration, in its order. */
export function webhooksOf(configuration: JsonObject): readonly Webhook[] {
  return objectsAt(configuration, 'webhooks').map((webhook) => {
    const { timeoutSeconds } = webhook;
    const sideEffects = textAt(webhook, 'sideEffects');
    return {
      name: textAt(webhook, 'name'),
      configuration: metadataText(configuration, 'name'),
      rules: {
        rules: objectsAt(webhook, 'rules'),
        excluded: [],
        isEquivalent: textAt(webhook, 'matchPolicy') !== 'Exact',
      },
      selectors: webhook,
      conditions: new MatchConditions(webhook),
      clientConfig: objectAt(webhook, 'clientConfig'),
      timeoutSeconds: typeof timeoutSeconds === 'number' ? timeoutSeconds : 10,
      isIgnoredOnFailure: textAt(webhook, 'failurePolicy') === 'Ignore',
      supportsDryRun: sideEffects === 'None' || sideEffects === 'NoneOnDryRun',
      wantsReinvocation: textAt(webhook, 'reinvocationPolicy') === 'IfNeeded',
      reviewVersion: firstKnown(textsAt(webhook, 'admissionReviewVersions')),
    };
  });
}

function firstKnown(versions: readonly string[]): 'v1' | 'v1beta1' {
  return versions.find((version) => version === 'v1' || version === 'v1beta1') === 'v1beta1' ? 'v1beta1' : 'v1';
}
