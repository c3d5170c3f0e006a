/** Where OVSNodes are by the settings of the agent, and where an install by the chart has them. */
export const USUAL_NAMESPACES: readonly string[] = ['ovn-system', 'smalt-system'];
