import { BOOL, opaque, STRING, type OpaqueType } from './cel-type.ts';
import { CelFailure, CelOpaque, type CelOutcome } from './cel-value.ts';
import { instance, text } from './kinds.ts';
import { NAMED_FORMATS } from './named-formats.ts';
import { member, type Library } from './overload.ts';

/** What an expression asks whether someone may do: with a path, or with a resource. */
export interface AuthorizerRequest {
  readonly verb: string;
  /** The account that is asked about; the one whose request is decided when undefined. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export interface AuthorizerDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** Why no decision could be made, if so. */
  readonly error?: string;
}

/** Answers what expressions ask through the variable `authorizer`. */
export interface Authorizer {
  authorize(request: AuthorizerRequest): AuthorizerDecision;
}

/** The type to declare the variable `authorizer` with. */
export const AUTHORIZER: OpaqueType = opaque('kubernetes.authorization.Authorizer');
const PATH_CHECK = opaque('kubernetes.authorization.PathCheck');
const GROUP_CHECK = opaque('kubernetes.authorization.GroupCheck');
const RESOURCE_CHECK = opaque('kubernetes.authorization.ResourceCheck');
const DECISION = opaque('kubernetes.authorization.Decision');

type Draft = Omit<AuthorizerRequest, 'verb'>;

abstract class Check extends CelOpaque {
  readonly authorizer: Authorizer;
  readonly draft: Draft;

  constructor(authorizer: Authorizer, draft: Draft) {
    super();
    this.authorizer = authorizer;
    this.draft = draft;
  }

  equals(other: CelOpaque): boolean {
    return this === other;
  }

  ask(verb: string): CelOutcome {
    return new Decision(this.authorizer.authorize({ ...this.draft, verb }));
  }
}

/** The value of the variable `authorizer`. */
export class CelAuthorizer extends Check {
  readonly typeName: string = AUTHORIZER.name;
}

class PathCheck extends Check {
  readonly typeName: string = PATH_CHECK.name;
}

class GroupCheck extends Check {
  readonly typeName: string = GROUP_CHECK.name;
}

class ResourceCheck extends Check {
  readonly typeName: string = RESOURCE_CHECK.name;

  with(added: Draft): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...this.draft, ...added });
  }
}

class Decision extends CelOpaque {
  readonly typeName: string = DECISION.name;
  readonly decision: AuthorizerDecision;

  constructor(decision: AuthorizerDecision) {
    super();
    this.decision = decision;
  }

  equals(other: CelOpaque): boolean {
    return this === other;
  }
}

const authorizer = instance(AUTHORIZER, CelAuthorizer);
const pathCheck = instance(PATH_CHECK, PathCheck);
const groupCheck = instance(GROUP_CHECK, GroupCheck);
const resourceCheck = instance(RESOURCE_CHECK, ResourceCheck);
const decision = instance(DECISION, Decision);

export const AUTHORIZER_LIBRARY: Library = {
  path: [member('authorizer_path', [authorizer, text], PATH_CHECK, checkPath)],
  group: [
    member(
      'authorizer_group',
      [authorizer, text],
      GROUP_CHECK,
      (from, group) => new GroupCheck(from.authorizer, { ...from.draft, group }),
    ),
  ],
  serviceAccount: [member('authorizer_serviceaccount', [authorizer, text, text], AUTHORIZER, asServiceAccount)],
  resource: [member('groupcheck_resource', [groupCheck, text], RESOURCE_CHECK, checkResource)],
  subresource: [
    member('resourcecheck_subresource', [resourceCheck, text], RESOURCE_CHECK, (check, subresource) =>
      check.with({ subresource }),
    ),
  ],
  namespace: [
    member('resourcecheck_namespace', [resourceCheck, text], RESOURCE_CHECK, (check, namespace) =>
      check.with({ namespace }),
    ),
  ],
  name: [member('resourcecheck_name', [resourceCheck, text], RESOURCE_CHECK, (check, name) => check.with({ name }))],
  fieldSelector: [
    member('authorizer_fieldselector', [resourceCheck, text], RESOURCE_CHECK, (check, fieldSelector) =>
      check.with({ fieldSelector }),
    ),
  ],
  labelSelector: [
    member('authorizer_labelselector', [resourceCheck, text], RESOURCE_CHECK, (check, labelSelector) =>
      check.with({ labelSelector }),
    ),
  ],
  check: [
    member('pathcheck_check', [pathCheck, text], DECISION, (check, verb) => check.ask(verb)),
    member('resourcecheck_check', [resourceCheck, text], DECISION, (check, verb) => check.ask(verb)),
  ],
  errored: [member('decision_errored', [decision], BOOL, (made) => made.decision.error !== undefined)],
  error: [member('decision_error', [decision], STRING, (made) => made.decision.error ?? '')],
  allowed: [member('decision_allowed', [decision], BOOL, (made) => made.decision.isAllowed)],
  reason: [member('decision_reason', [decision], STRING, (made) => made.decision.reason)],
};

function checkPath(from: CelAuthorizer, path: string): CelOutcome {
  if (path.trim() === '') return new CelFailure('path must not be empty');
  return new PathCheck(from.authorizer, { ...from.draft, path });
}

function checkResource(from: GroupCheck, resource: string): CelOutcome {
  if (resource.trim() === '') return new CelFailure('resource must not be empty');
  return new ResourceCheck(from.authorizer, { ...from.draft, resource });
}

function asServiceAccount(from: CelAuthorizer, namespace: string, name: string): CelOutcome {
  if (!isValid('dns1123Subdomain', name)) return new CelFailure('Invalid service account name');
  if (!isValid('dns1123Label', namespace)) return new CelFailure('Invalid service account namespace');
  return new CelAuthorizer(from.authorizer, { serviceAccount: { namespace, name } });
}

function isValid(format: string, value: string): boolean {
  return NAMED_FORMATS.get(format)?.validate(value).length === 0;
}
