//! Known answers and attacks, in one binary.

#[cfg(test)]
mod attacks;
#[cfg(test)]
mod attacks_on_keys;
#[cfg(test)]
mod command;
#[cfg(test)]
mod first_version;
#[cfg(test)]
mod frozen_logs;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod maker;
#[cfg(test)]
mod mutations;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod outcome;
#[cfg(test)]
mod stolen_keys;
#[cfg(test)]
mod vectors;
