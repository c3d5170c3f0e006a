/** What an account asked of an API server, or what the server was asked about it. */
export interface AccountRequest {
  /** The test file in which that happened. */
  readonly story: string;
  readonly account: string;
  /** The namespace of the account. */
  readonly accountNamespace: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly namespace: string;
  readonly code: number;
  readonly uri: string;
  /** Why it was refused, where it was. */
  readonly message: string;
}

interface AuditEvent {
  readonly verb?: string;
  readonly requestURI?: string;
  readonly user?: { readonly username?: string };
  readonly impersonatedUser?: object;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly apiGroup?: string;
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly message?: string };
  readonly requestObject?: { readonly spec?: ReviewSpec };
  readonly responseObject?: { readonly status?: { readonly allowed?: boolean } };
}

interface ReviewSpec {
  readonly user?: string;
  readonly resourceAttributes?: Readonly<Partial<Record<string, string>>>;
}

const USER = /^system:serviceaccount:(?<namespace>[^:]+):(?<name>.+)$/v;
const CREATED = 201;
const OK = 200;

/** Reads a line of an audit log: what was asked, and whom it was asked about. Empty for what no account has to do with. */
export function accountRequests(story: string, line: string): readonly AccountRequest[] {
  // The last line of a server that was killed.
  if (!line.endsWith('}')) return [];
  const event: AuditEvent = Object(JSON.parse(line));
  return [...ownRequests(story, event), ...reviewedRequests(story, event)];
}

function ownRequests(story: string, event: AuditEvent): readonly AccountRequest[] {
  const who = USER.exec(event.user?.username ?? '')?.groups;
  // With the rights of somebody else it is that one who is let or refused.
  if (who === undefined || event.impersonatedUser !== undefined) return [];
  const { objectRef, requestURI: uri = '', responseStatus = {}, verb = '' } = event;
  const { code = 0, message = '' } = responseStatus;
  const { resource, subresource = '' } = objectRef ?? {};
  const request = {
    story,
    account: who['name'] ?? '',
    accountNamespace: who['namespace'] ?? '',
    group: objectRef?.apiGroup ?? '',
    resource: resource === undefined ? (uri.split('?')[0] ?? '') : [resource, subresource].filter(Boolean).join('/'),
    name: objectRef?.name ?? '',
    namespace: objectRef?.namespace ?? '',
    code,
    uri,
    message,
  };
  return [verb, ...impliedVerbs(event)].map((each) => ({ ...request, verb: each }));
}

function impliedVerbs({ verb, requestURI = '', responseStatus }: AuditEvent): readonly string[] {
  // To apply what is not there takes the right to make it.
  if (verb === 'patch' && responseStatus?.code === CREATED) return ['create'];
  // Where a server cannot begin a watch with all objects, our client lists them first.
  return verb === 'watch' && requestURI.includes('sendInitialEvents=true') ? ['list'] : [];
}

/** A handler or service that asks what an account may do has made use of what it is told. */
function reviewedRequests(story: string, event: AuditEvent): readonly AccountRequest[] {
  const { user = '', resourceAttributes: asked } = event.requestObject?.spec ?? {};
  const who = USER.exec(user)?.groups;
  const isReview = event.objectRef?.resource === 'subjectaccessreviews' && event.verb === 'create';
  // The administrator asks as well, to see whether the server has taken in what it was told.
  const isByAccount = USER.test(event.user?.username ?? '');
  if (!isReview || !isByAccount || who === undefined || asked === undefined) return [];
  if (event.responseObject?.status?.allowed !== true) return [];
  return [
    {
      story,
      account: who['name'] ?? '',
      accountNamespace: who['namespace'] ?? '',
      verb: asked['verb'] ?? '',
      group: asked['group'] ?? '',
      resource: [asked['resource'], asked['subresource']].filter(Boolean).join('/'),
      name: asked['name'] ?? '',
      namespace: asked['namespace'] ?? '',
      code: OK,
      uri: '',
      message: '',
    },
  ];
}
