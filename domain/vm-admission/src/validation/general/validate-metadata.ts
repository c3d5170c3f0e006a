import type { ObjectMeta } from '@smalt/kubernetes';

import { AnnotationName } from '../../annotation-names.ts';
import { invalid, notSupported, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';
import { reservedLabels } from './reserved-labels.ts';

/** Metadata of an instance or a template, where it stands, and who wrote it. */
export interface MetadataScope {
  readonly path: string;
  readonly metadata: Partial<ObjectMeta> | null | undefined;
  readonly settings: ClusterSettings;
  readonly isControlPlane: boolean;
}

/** Labels of the control plane are its own; annotations of gated features need the gate. */
export function validateMetadata(scope: MetadataScope): readonly Cause[] {
  return [...validateLabels(scope), ...validateAnnotations(scope)];
}

function validateLabels({ path, metadata, isControlPlane }: MetadataScope): readonly Cause[] {
  const found = reservedLabels(metadata?.labels).map(([name]) => name);
  if (isControlPlane || found.length === 0) return [];
  const message = 'creation of the following reserved kubevirt.io/ labels on a VMI object is prohibited';
  return [notSupported(`${path}.labels`, message, `Remove ${found.join(', ')}.`)];
}

function validateAnnotations({ path, metadata, settings }: MetadataScope): readonly Cause[] {
  const field = `${path}.annotations`;
  const causes: Cause[] = [];
  if (isSet(metadata, AnnotationName.ignitionData) && !isGateOpen(settings, 'ExperimentalIgnitionSupport')) {
    const entry = `${field}.${AnnotationName.ignitionData}`;
    const message = `ExperimentalIgnitionSupport feature gate is not enabled in kubevirt-config, invalid entry ${entry}`;
    causes.push(invalid(field, message, gateAdvice('ExperimentalIgnitionSupport')));
  }
  if (isSet(metadata, AnnotationName.hookSidecars) && !isGateOpen(settings, 'Sidecar')) {
    const entry = `${field}.${AnnotationName.hookSidecars}`;
    const message = `sidecar feature gate is not enabled in kubevirt-config, invalid entry ${entry}`;
    causes.push(invalid(field, message, gateAdvice('Sidecar')));
  }
  return causes;
}

function isSet(metadata: Partial<ObjectMeta> | null | undefined, name: string): boolean {
  const annotations = metadata?.annotations ?? {};
  return Object.hasOwn(annotations, name) && annotations[name] !== '';
}
