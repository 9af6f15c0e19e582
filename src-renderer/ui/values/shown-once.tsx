import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { copyText } from './copy-text'
import classes from './shown-once.module.css'

/** A secret that is shown this one time, and a way to copy it; where it cannot be copied, it is selected. It scrolls into view. */
export function ShownOnce({ value, copyLabel, copiedLabel }: { value: string; copyLabel: string; copiedLabel: string }) {
  const valueRef = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    // Some browsers return a promise, which is no clean-up.
    void valueRef.current?.scrollIntoView({ block: 'center' })
  }, [value])
  const copy = async () => {
    const isDone = await copyText(value)
    setCopied(isDone)
    if (!isDone && valueRef.current) getSelection()?.selectAllChildren(valueRef.current)
  }
  return (
    <div className={classes.secret}>
      <code ref={valueRef}>{value}</code>
      <Button variant="default" onClick={() => void copy()}>
        {isCopied ? copiedLabel : copyLabel}
      </Button>
    </div>
  )
}
