import { readExpression, typeScriptType } from './emit-value.ts';
import { importLines } from './import-lines.ts';
import { pascalCase, pascalFromKebab, propertyName } from './naming.ts';
import { GENERATED, indent } from './source-text.ts';
import type { Message, ObjectEvent, WireSchema } from './wire-schema.ts';

type EventOfObject = Message & { readonly event: ObjectEvent };

/** Types and decoders of the messages that daemons send unasked, and a table of events per kind of object. */
export function emitEvents(schema: WireSchema): string {
  const messages = schema.procedures.filter((procedure) => procedure.kind === 'message');
  const events = messages.filter(isEventOfObject);
  const objects = [...new Set(events.map((message) => message.event.object))];
  const body = [
    ...messages.map(emitMessage),
    emitMessageTable(messages),
    ...objects.map((object) =>
      emitObject(
        object,
        events.filter((message) => message.event.object === object),
      ),
    ),
  ].join('\n');
  return [GENERATED, ...importLines(body, schema), '', body].join('\n');
}

function isEventOfObject(message: Message): message is EventOfObject {
  return message.event !== undefined;
}

function payloadName(message: Message): string {
  const { event } = message;
  return event
    ? `${pascalCase(event.object)}${pascalFromKebab(event.kind)}Event`
    : `${pascalCase(message.name)}Message`;
}

function readType(message: Message): string {
  return message.hasCallbackID ? `CallbackEvent<${payloadName(message)}>` : payloadName(message);
}

function emitMessage(message: Message): string {
  const kind = message.event ? [`readonly kind: '${message.event.kind}';`] : [];
  const members = message.fields.map((field) => `readonly ${field.name}: ${typeScriptType(field.type, 'result')};`);
  return [
    `export interface ${payloadName(message)} {`,
    indent([...kind, ...members]),
    '}',
    '',
    `function read${pascalCase(message.name)}(reader: XdrReader): ${readType(message)} {`,
    indent(readerBody(message)),
    '}',
    '',
  ].join('\n');
}

function readerBody(message: Message): string[] {
  const kind = message.event ? [`kind: '${message.event.kind}',`] : [];
  const members = [...kind, ...message.fields.map((field) => `${field.name}: ${readExpression(field.type)},`)];
  if (!message.hasCallbackID) return ['return {', indent(members), '};'];
  return ['return {', '  callbackID: reader.int32(),', '  payload: {', indent(indent(members)), '  },', '};'];
}

function emitMessageTable(messages: readonly Message[]): string {
  return [
    '/** The type of `eventMessages`: every unasked message by name. */',
    'export interface EventMessageTable {',
    indent(messages.map((message) => `readonly ${message.name}: EventMessage<${readType(message)}>;`)),
    '}',
    '',
    '/** Every message that a daemon sends unasked. */',
    'export const eventMessages: EventMessageTable = {',
    indent(messages.map(emitConstant)),
    '};',
    '',
  ].join('\n');
}

function emitConstant(message: Message): string {
  const members = [
    `program: 0x${message.program.toString(16).padStart(8, '0')},`,
    `number: ${message.number},`,
    `name: '${message.name}',`,
    `read: read${pascalCase(message.name)},`,
  ];
  return [`${message.name}: {`, indent(members), '},'].join('\n');
}

function emitObject(object: string, unsorted: readonly EventOfObject[]): string {
  const events = unsorted.toSorted((left, right) => left.event.id - right.event.id);
  const name = `${pascalCase(object)}Event`;
  return [
    `/** What can happen to a ${object.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}; \`kind\` tells it apart. */`,
    `export type ${name} =`,
    `${indent(events.map((message) => `| ${payloadName(message)}`))};`,
    '',
    `/** The type of \`${object}Events\`. */`,
    `export interface ${name}Table {`,
    indent(
      events.map(
        (message) =>
          `readonly ${propertyName(message.event.kind)}: ObjectEventMessage<'${message.event.kind}', ${payloadName(message)}>;`,
      ),
    ),
    '}',
    '',
    `/** By kind: the id to register for, and the message that reports it. */`,
    `export const ${object}Events: ${name}Table = {`,
    indent(events.map(emitObjectEntry)),
    '};',
    '',
  ].join('\n');
}

function emitObjectEntry({ name, event }: EventOfObject): string {
  return `${propertyName(event.kind)}: { eventID: ${event.id}, kind: '${event.kind}', message: eventMessages.${name} },`;
}
