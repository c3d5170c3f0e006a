import { shape } from '@smalt/kind';
import type { TSchema } from 'typebox';

/** The metadata of objects that are made from a template. As in KubeVirt, its fields are not checked here. */
export const templateMetadata: TSchema = shape({
  name: 'TemplateMetadata',
  description: 'The metadata of objects that are made from a template.',
  options: { nullable: true, 'x-kubernetes-preserve-unknown-fields': true },
  fields: {},
});
