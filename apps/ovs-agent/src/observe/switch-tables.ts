/** What is followed of the Open_vSwitch database: what is configured, and what ovs-vswitchd says about it. */
export const SWITCH_TABLES = {
  Open_vSwitch: {
    ovs_version: 'optional-string',
    dpdk_initialized: 'boolean',
    dpdk_version: 'optional-string',
    external_ids: 'map',
    next_cfg: 'integer',
    cur_cfg: 'integer',
    bridges: 'references',
  },
  Bridge: {
    name: 'string',
    datapath_type: 'string',
    datapath_id: 'optional-string',
    fail_mode: 'optional-string',
    external_ids: 'map',
    controller: 'references',
    mirrors: 'references',
    ports: 'references',
  },
  Port: {
    name: 'string',
    bond_mode: 'optional-string',
    lacp: 'optional-string',
    bond_active_slave: 'optional-string',
    external_ids: 'map',
    interfaces: 'references',
  },
  Interface: {
    name: 'string',
    type: 'string',
    ofport: 'optional-integer',
    ifindex: 'optional-integer',
    admin_state: 'optional-string',
    link_state: 'optional-string',
    link_speed: 'optional-integer',
    lacp_current: 'optional-boolean',
    error: 'optional-string',
    external_ids: 'map',
    options: 'map',
    status: 'map',
  },
  Controller: { target: 'string', is_connected: 'boolean', status: 'map' },
  Mirror: { name: 'string', external_ids: 'map', output_port: 'optional-reference' },
} as const;

export type SwitchTables = typeof SWITCH_TABLES;

/** Counters change every few seconds: they are followed apart, so that what matters is never behind them. */
export const STATISTICS_TABLES = { Interface: { statistics: 'map-string-integer' } } as const;

export type StatisticsTables = typeof STATISTICS_TABLES;
