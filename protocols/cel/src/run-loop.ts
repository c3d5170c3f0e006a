import { ValueList, ValueMap } from './built-values.ts';
import { CelFailure, CelList, CelMap, type CelOutcome } from './cel-value.ts';
import { ACCUMULATOR, type ComprehensionNode } from './expression-tree.ts';
import { countIteration, type Frame, type Step } from './frame.ts';

/** The compiled parts of a comprehension and the slots of its variables. */
export interface Loop {
  readonly range: Step;
  readonly init: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
  readonly slots: { readonly accumulator: number; readonly variable: number; readonly variable2: number | undefined };
}

/** Runs a comprehension over a list or a map. */
export function runLoop(frame: Frame, loop: Loop): CelOutcome {
  const range = loop.range(frame);
  if (range instanceof CelFailure) return range;
  const isList = range instanceof CelList;
  if (!isList && !(range instanceof CelMap)) return new CelFailure('no such overload');
  const { accumulator, variable, variable2 } = loop.slots;
  const keys = isList ? undefined : range.keys();
  const count = isList ? range.size : (keys?.length ?? 0);
  const initial = loop.init(frame);
  frame.slots[accumulator] = initial;
  for (let index = 0; index < count; index++) {
    countIteration(frame);
    const key = keys?.[index] ?? BigInt(index);
    if (variable2 === undefined) frame.slots[variable] = isList ? range.at(index) : key;
    else {
      frame.slots[variable] = key;
      frame.slots[variable2] = isList ? range.at(index) : (range.find(key) ?? null);
    }
    if (loop.condition(frame) === false) break;
    frame.slots[accumulator] = loop.step(frame);
  }
  if (initial instanceof ValueList || initial instanceof ValueMap) initial.close();
  return loop.result(frame);
}

/** What a macro collects into is built in place: no one else can see it before the loop is over. */
export function accumulatorStep(node: ComprehensionNode, init: Step): Step {
  if (node.accumulator !== ACCUMULATOR) return init;
  if (node.init.kind === 'list' && node.init.elements.length === 0) return () => ValueList.open();
  if (node.init.kind === 'map' && node.init.entries.length === 0) return () => ValueMap.open();
  return init;
}
