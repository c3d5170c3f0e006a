import { IncidentState, isOver } from '@smalt/failure-detection';

/** The states of incidents that are not over. */
export const OPEN_STATES: readonly IncidentState[] = Object.values(IncidentState).filter((state) => !isOver({ state }));
