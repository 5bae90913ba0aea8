// What the machine does not do: each call prints one line and returns cudaErrorNotSupported. The names are
// the other exports of the toolkit's library, so that a program finds every symbol.
#include <cstdio>
#include <cstring>

namespace {

constexpr int NOT_SUPPORTED = 801;  ///< cudaErrorNotSupported

/// Parts of CUDA, by what the names of their functions contain, and what to do instead.
constexpr const char* PARTS[][2] = {{"Array", "planes and sparse arrays: use cudaMallocArray"},
                                    {"Mipmapped", "mipmaps: use cudaMallocArray"},
                                    {"Ipc", "memory of other processes"},
                                    {"External", "memory of other interfaces"},
                                    {"Graphics", "graphics"},
                                    {"EGL", "graphics"},
                                    {"GL", "graphics"}};

int refuse(const char* name) {
    const char* missing = "such function";
    for (const auto& [word, part] : PARTS)
        if (std::strstr(name, word) != nullptr) missing = part;
    std::fprintf(stderr, "SIMT machine: %s: the machine has no %s\n", name, missing);
    return NOT_SUPPORTED;
}

}  // namespace

/// Functions of the driver's are named.
#define NO_DRIVER(name)                                        \
    extern "C" int name(const char* symbol, void** function) { \
        *function = nullptr;                                   \
        return refuse(symbol);                                 \
    }

NO_DRIVER(cudaGetDriverEntryPoint)
NO_DRIVER(cudaGetDriverEntryPoint_ptsz)
NO_DRIVER(cudaGetDriverEntryPointByVersion)
NO_DRIVER(cudaGetDriverEntryPointByVersion_ptsz)
NO_DRIVER(__cudaGetProcAddress)

#define NO(name) \
    extern "C" int name() { return refuse(#name); }
#define NO_PTDS(name) NO(name) NO(name##_ptds)
#define NO_PTSZ(name) NO(name) NO(name##_ptsz)

// clang-format off: a list, several a line.
NO(cudaArrayGetMemoryRequirements) NO(cudaArrayGetPlane) NO(cudaArrayGetSparseProperties)
NO(cudaDestroyExternalMemory)
NO(cudaDestroyExternalSemaphore) 
NO(cudaDeviceFlushGPUDirectRDMAWrites) NO(cudaDeviceGetByPCIBusId) NO(cudaDeviceGetGraphMemAttribute)
NO(cudaDeviceGetHostAtomicCapabilities) NO(cudaDeviceGetNvSciSyncAttributes)
NO(cudaDeviceGetP2PAtomicCapabilities) NO(cudaDeviceGraphMemTrim)
NO(cudaDeviceRegisterAsyncNotification) NO(cudaDeviceSetGraphMemAttribute)
NO(cudaDeviceUnregisterAsyncNotification) NO(cudaEGLStreamConsumerAcquireFrame)
NO(cudaEGLStreamConsumerConnect) NO(cudaEGLStreamConsumerConnectWithFlags) NO(cudaEGLStreamConsumerDisconnect)
NO(cudaEGLStreamConsumerReleaseFrame) NO(cudaEGLStreamProducerConnect) NO(cudaEGLStreamProducerDisconnect)
NO(cudaEGLStreamProducerPresentFrame) NO(cudaEGLStreamProducerReturnFrame) NO(cudaEventCreateFromEGLSync)
NO(cudaExternalMemoryGetMappedBuffer) NO(cudaExternalMemoryGetMappedMipmappedArray) 
NO(cudaFreeMipmappedArray) NO(cudaGLGetDevices) NO(cudaGLMapBufferObject) NO(cudaGLMapBufferObjectAsync)
NO(cudaGLRegisterBufferObject) NO(cudaGLSetBufferObjectMapFlags) NO(cudaGLSetGLDevice)
NO(cudaGLUnmapBufferObject) NO(cudaGLUnmapBufferObjectAsync) NO(cudaGLUnregisterBufferObject)
NO(cudaGetExportTable) NO(cudaGetMipmappedArrayLevel)

NO(cudaGraphAddEventRecordNode)
NO(cudaGraphAddEventWaitNode) NO(cudaGraphAddExternalSemaphoresSignalNode)
NO(cudaGraphAddExternalSemaphoresWaitNode) NO(cudaGraphAddMemcpyNodeFromSymbol)
NO(cudaGraphAddMemcpyNodeToSymbol) NO(cudaGraphChildGraphNodeGetGraph)
NO(cudaGraphDebugDotPrint) NO(cudaGraphDestroyNode) NO(cudaGraphEventRecordNodeGetEvent)
NO(cudaGraphEventRecordNodeSetEvent) NO(cudaGraphEventWaitNodeGetEvent) NO(cudaGraphEventWaitNodeSetEvent)
NO(cudaGraphExecChildGraphNodeSetParams) NO(cudaGraphExecEventRecordNodeSetEvent)
NO(cudaGraphExecEventWaitNodeSetEvent) NO(cudaGraphExecExternalSemaphoresSignalNodeSetParams)
NO(cudaGraphExecExternalSemaphoresWaitNodeSetParams) NO(cudaGraphExecGetFlags)
NO(cudaGraphExecHostNodeSetParams) NO(cudaGraphExecMemcpyNodeSetParams) NO(cudaGraphExecMemcpyNodeSetParams1D)
NO(cudaGraphExecMemcpyNodeSetParamsFromSymbol) NO(cudaGraphExecMemcpyNodeSetParamsToSymbol)
NO(cudaGraphExecMemsetNodeSetParams) NO(cudaGraphExecNodeSetParams)
NO(cudaGraphExternalSemaphoresSignalNodeGetParams) NO(cudaGraphExternalSemaphoresSignalNodeSetParams)
NO(cudaGraphExternalSemaphoresWaitNodeGetParams) NO(cudaGraphExternalSemaphoresWaitNodeSetParams)
NO(cudaGraphGetEdges) NO(cudaGraphHostNodeGetParams) NO(cudaGraphHostNodeSetParams)
NO(cudaGraphKernelNodeCopyAttributes) NO(cudaGraphKernelNodeGetAttribute) NO(cudaGraphKernelNodeGetParams)
NO(cudaGraphKernelNodeSetAttribute) NO(cudaGraphKernelNodeSetParams) NO(cudaGraphMemAllocNodeGetParams)
NO(cudaGraphMemFreeNodeGetParams) NO(cudaGraphMemcpyNodeGetParams) NO(cudaGraphMemcpyNodeSetParams)
NO(cudaGraphMemcpyNodeSetParams1D) NO(cudaGraphMemcpyNodeSetParamsFromSymbol)
NO(cudaGraphMemcpyNodeSetParamsToSymbol) NO(cudaGraphMemsetNodeGetParams) NO(cudaGraphMemsetNodeSetParams)
NO(cudaGraphNodeFindInClone) NO(cudaGraphNodeGetDependentNodes) NO(cudaGraphNodeSetParams)
NO(cudaGraphReleaseUserObject) NO(cudaGraphRemoveDependencies) NO(cudaGraphRetainUserObject)
NO(cudaGraphicsEGLRegisterImage) NO(cudaGraphicsGLRegisterBuffer) NO(cudaGraphicsGLRegisterImage)
NO(cudaGraphicsMapResources) NO(cudaGraphicsResourceGetMappedEglFrame)
NO(cudaGraphicsResourceGetMappedMipmappedArray) NO(cudaGraphicsResourceGetMappedPointer)
NO(cudaGraphicsResourceSetMapFlags) NO(cudaGraphicsSubResourceGetMappedArray) NO(cudaGraphicsUnmapResources)
NO(cudaGraphicsUnregisterResource) NO(cudaGraphicsVDPAURegisterOutputSurface)
NO(cudaGraphicsVDPAURegisterVideoSurface) NO(cudaImportExternalMemory) NO(cudaImportExternalSemaphore)
NO(cudaIpcCloseMemHandle) NO(cudaIpcGetEventHandle) NO(cudaIpcGetMemHandle) NO(cudaIpcOpenEventHandle)
NO(cudaIpcOpenMemHandle) NO(cudaLibraryEnumerateKernels) NO(cudaLibraryGetGlobal) NO(cudaLibraryGetKernel)
NO(cudaLibraryGetKernelCount) NO(cudaLibraryGetManaged) NO(cudaLibraryGetUnifiedFunction)
NO(cudaLibraryLoadData) NO(cudaLibraryLoadFromFile) NO(cudaLibraryUnload) NO(cudaLogsCurrent)
NO(cudaLogsDumpToFile) NO(cudaLogsDumpToMemory) NO(cudaLogsRegisterCallback) NO(cudaLogsUnregisterCallback)
NO(cudaMallocMipmappedArray)
NO_PTSZ(cudaMemDiscardAndPrefetchBatchAsync) NO_PTSZ(cudaMemDiscardBatchAsync) NO(cudaMemGetDefaultMemPool)
NO(cudaMemGetMemPool) NO(cudaMemPoolExportPointer) NO(cudaMemPoolExportToShareableHandle)
NO(cudaMemPoolGetAccess) NO(cudaMemPoolGetAttribute) NO(cudaMemPoolImportFromShareableHandle)
NO(cudaMemPoolImportPointer) NO(cudaMemPoolSetAccess) NO_PTSZ(cudaMemPrefetchBatchAsync)
NO(cudaMemRangeGetAttribute) NO(cudaMemRangeGetAttributes) NO(cudaMemSetMemPool)

NO_PTSZ(cudaMemcpy3DBatchAsync)
NO_PTDS(cudaMemcpy3DPeer) NO_PTSZ(cudaMemcpy3DPeerAsync) 
NO_PTSZ(cudaMemcpyBatchAsync) 
NO(cudaMipmappedArrayGetMemoryRequirements)
NO(cudaMipmappedArrayGetSparseProperties) NO_PTSZ(cudaSignalExternalSemaphoresAsync)
NO_PTSZ(cudaStreamGetAttribute)
NO(cudaUserObjectCreate) NO(cudaUserObjectRelease)
NO(cudaUserObjectRetain) NO(cudaVDPAUGetDevice) NO(cudaVDPAUSetVDPAUDevice)
NO_PTSZ(cudaWaitExternalSemaphoresAsync)
