/** How far the whole of OVN is. */
export const GLOBAL_TABLES = { SB_Global: { nb_cfg: 'integer' } } as const;

/** Our own chassis, and how far it is. */
export const CHASSIS_TABLES = {
  Chassis: { name: 'string' },
  Chassis_Private: { name: 'string', nb_cfg: 'integer' },
} as const;

/** Where the logical ports of our interfaces are bound. */
export const PORT_TABLES = {
  Port_Binding: {
    logical_port: 'string',
    type: 'string',
    chassis: 'optional-reference',
    additional_chassis: 'references',
  },
} as const;

/** The tables whose rows flows of the integration bridge are made of; the large one is last. */
export const COOKIE_TABLES: readonly string[] = [
  'Port_Binding',
  'Datapath_Binding',
  'Chassis',
  'Multicast_Group',
  'MAC_Binding',
  'Static_MAC_Binding',
  'FDB',
  'Load_Balancer',
  'Logical_Flow',
];
