// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';
import { admissionregistration } from './admissionregistration.gen.ts';
import { apiextensions } from './apiextensions.gen.ts';
import { apiregistration } from './apiregistration.gen.ts';
import { apps } from './apps.gen.ts';
import { authentication } from './authentication.gen.ts';
import { authorization } from './authorization.gen.ts';
import { autoscalingV2 } from './autoscaling-v2.gen.ts';
import { autoscaling } from './autoscaling.gen.ts';
import { batch } from './batch.gen.ts';
import { certificates } from './certificates.gen.ts';
import { coordination } from './coordination.gen.ts';
import { core } from './core.gen.ts';
import { discovery } from './discovery.gen.ts';
import { events } from './events.gen.ts';
import { meta } from './meta.gen.ts';
import { networking } from './networking.gen.ts';
import { node } from './node.gen.ts';
import { policy } from './policy.gen.ts';
import { rbac } from './rbac.gen.ts';
import { resource } from './resource.gen.ts';
import { scheduling } from './scheduling.gen.ts';
import { storage } from './storage.gen.ts';

export const packages: readonly PackageSource[] = [admissionregistration, apiextensions, apiregistration, apps, authentication, authorization, autoscalingV2, autoscaling, batch, certificates, coordination, core, discovery, events, meta, networking, node, policy, rbac, resource, scheduling, storage];
