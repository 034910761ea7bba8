/** The simulated provider refuses what it was asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly httpStatus: number;

  constructor(httpStatus: number, message: string) {
    super(message);
    this.httpStatus = httpStatus;
  }
}
