import type { JsonObject } from '@smalt/json';

import { objectAt, objectsAt, textAt, textsAt } from '../identity/object-fields.ts';
import { metadataText } from '../registry/object-metadata.ts';
import { AdmissionExpression } from './admission-expression.ts';
import { MatchConditions } from './match-conditions.ts';
import { ruleSetOf, type RuleSet } from './match-rules.ts';

/** One rule of a policy. */
export interface PolicyValidation {
  readonly expression: AdmissionExpression;
  readonly message: string;
  readonly messageExpression: AdmissionExpression | undefined;
  readonly reason: string;
}

/** A ValidatingAdmissionPolicy that is ready to be asked. */
export interface Policy {
  readonly name: string;
  readonly rules: RuleSet;
  /** Holds `namespaceSelector` and `objectSelector`. */
  readonly selectors: JsonObject;
  readonly conditions: MatchConditions;
  readonly validations: readonly PolicyValidation[];
  /** Undefined when the policy takes no parameters. */
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  /** Whether a write passes when the policy cannot be evaluated. */
  readonly isIgnoredOnFailure: boolean;
}

/** A ValidatingAdmissionPolicyBinding: where a policy counts, with which parameters, and what follows. */
export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  readonly rules: RuleSet | undefined;
  readonly selectors: JsonObject;
  readonly paramRef: JsonObject | undefined;
  readonly actions: readonly string[];
}

/** Reads a policy. */
export function policyOf(object: JsonObject): Policy {
  const spec = objectAt(object, 'spec');
  const constraints = objectAt(spec, 'matchConstraints');
  const variables = objectsAt(spec, 'variables').map((variable) => ({
    name: textAt(variable, 'name'),
    expression: textAt(variable, 'expression'),
  }));
  const compile = (source: string): AdmissionExpression => new AdmissionExpression(source, variables);
  const paramKind = objectAt(spec, 'paramKind');
  return {
    name: metadataText(object, 'name'),
    rules: ruleSetOf(constraints),
    selectors: constraints,
    conditions: new MatchConditions(spec, variables),
    validations: objectsAt(spec, 'validations').map((validation) => {
      const messageExpression = textAt(validation, 'messageExpression');
      return {
        expression: compile(textAt(validation, 'expression')),
        message: textAt(validation, 'message'),
        messageExpression: messageExpression === '' ? undefined : compile(messageExpression),
        reason: textAt(validation, 'reason') || 'Invalid',
      };
    }),
    paramKind:
      spec['paramKind'] === undefined
        ? undefined
        : { apiVersion: textAt(paramKind, 'apiVersion'), kind: textAt(paramKind, 'kind') },
    isIgnoredOnFailure: textAt(spec, 'failurePolicy') === 'Ignore',
  };
}

/** Reads a binding. */
export function policyBindingOf(object: JsonObject): PolicyBinding {
  const spec = objectAt(object, 'spec');
  const resources = objectAt(spec, 'matchResources');
  return {
    name: metadataText(object, 'name'),
    policyName: textAt(spec, 'policyName'),
    // A binding without rules counts wherever its policy does.
    rules:
      objectsAt(resources, 'resourceRules').length === 0 && objectsAt(resources, 'excludeResourceRules').length === 0
        ? undefined
        : ruleSetOf(resources),
    selectors: resources,
    paramRef: spec['paramRef'] === undefined ? undefined : objectAt(spec, 'paramRef'),
    actions: textsAt(spec, 'validationActions'),
  };
}
