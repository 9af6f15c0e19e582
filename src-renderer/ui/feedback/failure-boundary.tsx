import { Component, type ReactNode } from 'react'

/** What a failure of a screen is shown with. */
export type FailureView = (failure: { error: unknown; retry: () => void }) => ReactNode

/** Keeps the frame working when a screen fails, and offers a retry. A new `resetKey` (the address) retries automatically. */
export class FailureBoundary extends Component<
  { children: ReactNode; view: FailureView; resetKey: string },
  { failure: { error: unknown } | null }
> {
  override state: { failure: { error: unknown } | null } = { failure: null }

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } }
  }

  override componentDidUpdate(before: { resetKey: string }) {
    if (this.state.failure && before.resetKey !== this.props.resetKey) this.setState({ failure: null })
  }

  override render() {
    const { failure } = this.state
    return failure ? this.props.view({ error: failure.error, retry: () => this.setState({ failure: null }) }) : this.props.children
  }
}
