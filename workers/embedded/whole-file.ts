/** By this path for the embedded Postgres alone. */
export { writeWhole } from '../../config/whole-file.ts';
