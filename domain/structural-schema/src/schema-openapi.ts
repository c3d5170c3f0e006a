import { forbidden, type FieldError, type Schema } from '@smalt/resource';

import { isMetaField } from './metadata-schema.ts';
import { childCost, type RuleCosts } from './rule-costs.ts';
import { checkListRules } from './schema-list-rules.ts';
import { checkRuleExpressions } from './schema-rule-expressions.ts';
import { checkRuleTexts } from './schema-rule-texts.ts';
import { checkStandards, type SchemaPlace } from './schema-standards.ts';

/** What was found in a schema, and apart from it what was found in its rules: those come last. */
export interface SchemaFindings {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

/**
 * Checks a schema and all its parts by the rules for schemas in CustomResourceDefinitions. Rules are compiled only when
 * costs are given and the schema around them is in order.
 */
export function checkOpenApi(schema: Schema, place: SchemaPlace, costs: RuleCosts | undefined): SchemaFindings {
  const findings: SchemaFindings = { schema: checkStandards(schema, place), rules: [] };
  checkAdditional(schema, place, costs, findings);
  checkProperties(schema, place, costs, findings);
  checkAlternatives(schema, place, findings);
  checkItems(schema, place, costs, findings);
  findings.schema.push(...checkListRules(schema, place.path), ...checkRuleTexts(schema, place.path));
  if (findings.schema.length === 0 && costs !== undefined) {
    findings.rules.push(...checkRuleExpressions(schema, place, costs));
  }
  return findings;
}

function checkAdditional(
  schema: Schema,
  place: SchemaPlace,
  costs: RuleCosts | undefined,
  findings: SchemaFindings,
): void {
  const { additionalProperties } = schema;
  if (additionalProperties === undefined) return;
  const path = `${place.path}.additionalProperties`;
  if (additionalProperties !== true && Object.keys(schema.properties ?? {}).length > 0) {
    findings.schema.push(forbidden(path, 'additionalProperties and properties are mutual exclusive'));
  }
  if (typeof additionalProperties !== 'object') return;
  const noDefault = place.isInsideMeta ? 'inside additionalProperties applying to object metadata' : place.noDefault;
  const inside = { ...place, path, isRoot: false, noDefault };
  add(findings, checkOpenApi(additionalProperties, inside, childCost(costs, schema, additionalProperties)));
}

function checkProperties(
  schema: Schema,
  place: SchemaPlace,
  costs: RuleCosts | undefined,
  findings: SchemaFindings,
): void {
  const isResource = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isMeta = isResource && isMetaField(name);
    const inside: SchemaPlace = {
      ...place,
      path: `${place.path}.properties[${name}]`,
      isRoot: false,
      isInsideMeta: place.isInsideMeta || isMeta,
      noDefault: isMeta && place.isRoot ? `in top-level ${name}` : place.noDefault,
    };
    add(findings, checkOpenApi(property, inside, childCost(costs, schema, property)));
  }
}

function checkAlternatives(schema: Schema, place: SchemaPlace, findings: SchemaFindings): void {
  const parts: (readonly [string, Schema])[] = [];
  if (schema.not !== undefined) parts.push(['not', schema.not]);
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, part] of (schema[name] ?? []).entries()) parts.push([`${name}[${index}]`, part]);
  }
  for (const [step, part] of parts) {
    add(findings, checkOpenApi(part, { ...place, path: `${place.path}.${step}`, isRoot: false }, undefined));
  }
}

function checkItems(schema: Schema, place: SchemaPlace, costs: RuleCosts | undefined, findings: SchemaFindings): void {
  const { items } = schema;
  if (items === undefined || Array.isArray(items)) return;
  const isCorrelated = schema['x-kubernetes-list-type'] === 'map';
  const uncorrelated = isCorrelated ? place.uncorrelated : (place.uncorrelated ?? place.path);
  const inside = { ...place, path: `${place.path}.items`, isRoot: false, uncorrelated };
  add(findings, checkOpenApi(items, inside, childCost(costs, schema, items)));
}

function add(findings: SchemaFindings, more: SchemaFindings): void {
  findings.schema.push(...more.schema);
  findings.rules.push(...more.rules);
}
