import type { Authorizer as CelAuthorizer, CelValue, CostBudget, Expression } from '@smalt/cel';
import type * as Cel from '@smalt/cel';
import type { JsonObject, JsonValue } from '@smalt/json';

import { pathAttributes, resourceAttributes, type Authorizer } from '../authorization/authorizer.ts';
import type { RequestUser } from '../registry/write-context.ts';

/** What compiles and evaluates expressions. It is loaded by whoever has one: most servers never do. */
export type ExpressionLanguage = typeof Cel;

/** What the expressions of one write have in common. */
export interface ExpressionInput {
  readonly language: ExpressionLanguage;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly request: JsonObject;
  readonly params: JsonObject | null;
  readonly namespaceObject: JsonObject | null;
  readonly authorizer: CelAuthorizer;
  readonly budget: CostBudget;
}

/** What an expression came to: a value, or what went wrong. */
export type Evaluation =
  | { readonly kind: 'value'; readonly value: CelValue }
  | { readonly kind: 'error'; readonly message: string };

/** A named expression that others may use as `variables.<name>`. */
export interface ExpressionVariable {
  readonly name: string;
  readonly expression: string;
}

const REQUEST_RESOURCE =
  'authorizer.group(request.resource.group).resource(request.resource.resource).subresource(request.?subResource.orValue("")).namespace(request.?namespace.orValue("")).name(request.?name.orValue(""))';
// Texts come first, so that nothing inside of one is taken for a name.
const NAMES =
  /r?"""[\s\S]*?"""|r?'''[\s\S]*?'''|r?"(?:\\.|[^"\\])*"|r?'(?:\\.|[^'\\])*'|\bvariables\s*\.\s*([a-zA-Z_]\w*)|\bauthorizer\s*\.\s*requestResource\b/g;
const MAX_LENGTH = 256 * 1024;

/** An expression about a write, compiled when it is first asked. */
export class AdmissionExpression {
  readonly source: string;
  readonly #full: string;
  #compiled: Expression | string | undefined;

  constructor(source: string, variables: readonly ExpressionVariable[] = []) {
    this.source = source;
    this.#full = inline(source, variables);
  }

  /** What is wrong with the expression itself, which has to come to the given type; undefined when nothing is. */
  problem(language: ExpressionLanguage, type?: 'bool' | 'string'): string | undefined {
    const compiled = this.#compile(language);
    if (typeof compiled === 'string') return compiled;
    const made = language.formatType(compiled.resultType);
    return type === undefined || made === type || made === 'dyn'
      ? undefined
      : `must evaluate to ${type} but got ${made}`;
  }

  evaluate(input: ExpressionInput): Evaluation {
    const { language, authorizer, budget, ...values } = input;
    const compiled = this.#compile(language);
    if (typeof compiled === 'string') return { kind: 'error', message: `compilation error: ${compiled}` };
    try {
      return { kind: 'value', value: compiled.evaluate(variablesOf(values), { authorizer, budget }) };
    } catch (error) {
      if (!language.isCelError(error)) throw error;
      return { kind: 'error', message: `expression '${this.source}' resulted in error: ${error.message}` };
    }
  }

  #compile(language: ExpressionLanguage): Expression | string {
    this.#compiled ??= compile(language, this.#full);
    return this.#compiled;
  }
}

function compile(language: ExpressionLanguage, source: string): Expression | string {
  const { AUTHORIZER: authorizer, DYN: any } = language;
  if (source.length > MAX_LENGTH) return 'compilation failed: the expression is too long with its variables';
  try {
    const objects = { object: any, oldObject: any, params: any, namespaceObject: any };
    return language.compileExpression(source, { variables: { ...objects, request: any, authorizer } });
  } catch (error) {
    if (!language.isCelError(error)) throw error;
    return `compilation failed: ${error.message}`;
  }
}

// A variable stands for its expression, so only what is used is computed, and its type is kept.
function inline(source: string, variables: readonly ExpressionVariable[]): string {
  const known = new Map<string, string>();
  const replace = (text: string): string =>
    text.replaceAll(NAMES, (match: string, name: string | undefined) => {
      if (match.startsWith('authorizer')) return REQUEST_RESOURCE;
      const value = name === undefined ? undefined : known.get(name);
      return value === undefined ? match : `(${value})`;
    });
  for (const { name, expression } of variables) {
    const full = replace(expression);
    known.set(name, full.length > MAX_LENGTH ? expression : full);
  }
  return replace(source);
}

function variablesOf(
  values: Omit<ExpressionInput, 'language' | 'authorizer' | 'budget'>,
): Readonly<Record<string, JsonValue>> {
  return { ...values };
}

/** A budget for all the expressions that one policy or webhook has about one write. */
export function newBudget({ CostBudget: Budget, MAX_OBJECT_COST: cost }: ExpressionLanguage): CostBudget {
  return new Budget(cost);
}

/** Answers what expressions ask about the rights of the writer, or of a service account. */
export function expressionAuthorizer(authorizer: Authorizer, user: RequestUser): CelAuthorizer {
  return {
    authorize: ({ verb, serviceAccount, path, ...asked }) => {
      const { group = '', resource = '', subresource = '', namespace = '', name = '' } = asked;
      const who = serviceAccount === undefined ? user : accountUser(serviceAccount);
      const attributes =
        path === undefined
          ? resourceAttributes({ verb, group, version: '*', resource, subresource, namespace, name })
          : pathAttributes(verb, path);
      const { allowed, reason } = authorizer.authorize(who, attributes);
      return { isAllowed: allowed, reason };
    },
  };
}

function accountUser({ namespace, name }: { readonly namespace: string; readonly name: string }): RequestUser {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups, extra: {} };
}
