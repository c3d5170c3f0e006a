import { isJsonArray, isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

import { printableText } from '../printable-text.ts';

/** Marks that are colours on a terminal and nothing elsewhere. */
export interface TextStyle {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly faint: (text: string) => string;
}

/** Draws what became of a packet: the path through the tables as a tree, and how it ended. */
export function printTrace(report: JsonObject, style: TextStyle): string {
  const passes = objectsIn(report['passes']);
  const lines = [
    textOf(report['flow']),
    ...passes.flatMap((pass) => printPass(pass, style)),
    verdictLine(jsonField(report, 'verdict'), style),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function printPass(pass: JsonObject, style: TextStyle): readonly string[] {
  const [bridge, again, actions] = [pass['bridge'], pass['recirculation'], pass['datapathActions']].map(textOf);
  const head = again === '' ? bridge : again;
  return [
    '',
    head === undefined || head === '' ? 'packet' : head,
    ...printSteps(objectsIn(pass['steps']), '', style),
    ...(actions === undefined || actions === '' ? [] : [style.faint(`datapath actions: ${actions}`)]),
    ...(isJsonArray(pass['remarks']) ? pass['remarks'].map((remark) => style.faint(textOf(remark))) : []),
  ].map((line, index) => (index === 0 ? ' ' : line));
}

function printSteps(steps: readonly JsonObject[], indent: string, style: TextStyle): readonly string[] {
  return steps.flatMap((step, index) => {
    const isLast = index === steps.length - 1;
    const below = `${indent}${isLast ? '   ' : '│  '}`;
    return [
      `${indent}${isLast ? '└─ ' : '├─ '}${stepText(step, style)}`,
      ...printSteps(objectsIn(step['steps']), below, style),
    ];
  });
}

function stepText(step: JsonObject, style: TextStyle): string {
  const kind = textOf(step['kind']);
  if (kind === 'bridge') return `bridge ${textOf(step['bridge'])}`;
  if (kind !== 'table') return kind === 'note' ? style.faint(textOf(step['text'])) : textOf(step['text']);
  const { match, priority, cookie } = step;
  if (match === undefined && priority === undefined) return `table ${textOf(step['table'])}: ${style.bad('no match')}`;
  const asked = textOf(match) === '' ? 'everything' : textOf(match);
  const from = cookie === undefined ? '' : style.faint(`, cookie ${cookieText(cookie)}`);
  return `table ${textOf(step['table'])}: ${asked}${style.faint(`, priority ${textOf(priority)}`)}${from}`;
}

function cookieText(cookie: JsonValue): string {
  return typeof cookie === 'number' || typeof cookie === 'bigint' ? `0x${cookie.toString(16)}` : textOf(cookie);
}

function verdictLine(verdict: JsonValue | undefined, style: TextStyle): string {
  if (!isJsonObject(verdict)) return '';
  if (verdict['kind'] === 'controller') return style.good('goes to the controller');
  if (verdict['kind'] === 'output') {
    const ports = isJsonArray(verdict['ports']) ? verdict['ports'].map(textOf).join(', ') : '';
    return style.good(`goes out at ${ports}`);
  }
  const why = textOf(verdict['why']);
  return style.bad(why === '' ? 'is dropped' : `is dropped: ${why}`);
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null || isJsonObject(value) || isJsonArray(value)) return '';
  return printableText(String(value));
}
