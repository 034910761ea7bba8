// Apart from the schemas, so that the console can ask without having them in its scripts.
export { isAlarming } from '../../domain/runs/run-finding.ts';
