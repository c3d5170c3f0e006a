import type { AggregateGroup, HypervisorGroup, TraitGroup } from './generated/objects.gen.ts';

type Groups = readonly HypervisorGroup[] | undefined;

/** Whether the groups hold the trait. */
export function hasTrait(groups: Groups, name: string): boolean {
  return getTraits(groups).some((trait) => trait.name === name);
}

/** The traits among the groups, in their order. */
export function getTraits(groups: Groups): readonly TraitGroup[] {
  return (groups ?? []).flatMap((group) => group.trait ?? []);
}

/** Whether the groups hold the aggregate. Ids are compared as they are written. */
export function hasAggregate(groups: Groups, uuid: string): boolean {
  return getAggregates(groups).some((aggregate) => aggregate.uuid === uuid);
}

/** The aggregates among the groups, in their order. */
export function getAggregates(groups: Groups): readonly AggregateGroup[] {
  return (groups ?? []).flatMap((group) => group.aggregate ?? []);
}
