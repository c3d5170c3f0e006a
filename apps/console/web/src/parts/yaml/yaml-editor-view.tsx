import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef, type ReactElement } from 'react';

import { styleNonce } from '../../style-nonce.ts';
import type { TextProblem } from './place-causes.ts';
import type { YamlEditorProps } from './yaml-editor-props.ts';
import classes from './yaml-editor.module.css';

const NO_PROBLEMS: readonly TextProblem[] = [];
/** Marks a change that nobody typed: the text that is to be shown has become another. */
const isGiven = Annotation.define<true>();
const undoing = new Compartment();

export function YamlEditorView({ label, value, onChange, problems = NO_PROBLEMS }: YamlEditorProps): ReactElement {
  const holder = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const first = useRef(value);
  const latest = useRef(onChange);
  const isReadOnly = onChange === undefined;
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (holder.current === null) return undefined;
    const extensions = extensionsFor({ label, isReadOnly, onChange: (text) => latest.current?.(text) });
    const made = new EditorView({
      parent: holder.current,
      state: EditorState.create({ doc: first.current, extensions }),
    });
    editor.current = made;
    return () => made.destroy();
  }, [label, isReadOnly]);
  useEffect(() => {
    const current = editor.current;
    first.current = value;
    if (current === undefined) return;
    if (current.state.doc.toString() !== value) show(current, value);
    current.dispatch(setDiagnostics(current.state, diagnosticsOf(current.state, problems)));
  }, [value, problems]);
  return <div ref={holder} className={classes.editor} />;
}

function show(editor: EditorView, text: string): void {
  const changes = { from: 0, to: editor.state.doc.length, insert: text };
  // What was typed into another text cannot be undone in this one.
  editor.dispatch({ changes, annotations: isGiven.of(true), effects: undoing.reconfigure([]) });
  editor.dispatch({ effects: undoing.reconfigure(history()) });
}

interface EditorOptions {
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

function extensionsFor({ label, isReadOnly, onChange }: EditorOptions): Extension {
  return [
    lineNumbers(),
    undoing.of(history()),
    yaml(),
    indentUnit.of('  '),
    syntaxHighlighting(COLOURS),
    lintGutter(),
    // The Tab key leads out of it, as out of every other field; Ctrl-] indents.
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.cspNonce.of(styleNonce()),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorState.readOnly.of(isReadOnly),
    EditorView.updateListener.of(({ transactions, state }) => {
      const isTyped = transactions.some((each) => each.docChanged && each.annotation(isGiven) !== true);
      if (isTyped) onChange(state.doc.toString());
    }),
  ];
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--smalt-busy)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--smalt-good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--smalt-warning)' },
  { tag: tags.comment, color: 'var(--smalt-quiet)' },
]);

function diagnosticsOf({ doc }: EditorState, problems: readonly TextProblem[]): Diagnostic[] {
  return problems.map(({ line, message }) => {
    const { from, to } = doc.line(Math.max(1, Math.min(doc.lines, line)));
    return { from, to, severity: 'error', message };
  });
}
