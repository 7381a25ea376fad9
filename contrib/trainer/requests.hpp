// Has somebody asked for a checkpoint by SIGUSR1 or SIGTERM?
#pragma once

namespace hora::trainer::requests {

// From here on both signals ask for a checkpoint instead of ending the program.
void listen();
// There is no folder for checkpoints: SIGTERM ends the program again (at once, if it has already
// come), SIGUSR1 does nothing.
void stop_listening();
// Whether a request has come since the last call.
bool take();

}  // namespace hora::trainer::requests
